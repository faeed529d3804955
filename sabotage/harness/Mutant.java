package harness;

import harness.Rules.Edit;
import harness.Rules.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The classes of a tree with a rule's edits in it, in a directory of their own.
 *
 * <p>javac copies constants into the classes that use them. So every source that mentions an
 * edited class is compiled again beside it, and whoever mentions one that came out different in
 * turn; what came out the same is left out again.
 *
 * @param directory what goes before the tree's classes on a class path
 * @param classes the top-level classes in it, of which a run must load one from it, and none from
 *     elsewhere
 */
record Mutant(Path directory, List<String> classes) {
    /** A rule that makes no mutant, and the verdict on it. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        private final transient Judgement judgement;

        Refused(Verdict verdict, String reason, String details) {
            super(reason);
            this.judgement = new Judgement(verdict, reason, details);
        }

        Judgement judgement() {
            return judgement;
        }
    }

    /** No mutant: an empty directory, for the run that must be green. */
    static Mutant none(Path directory) throws IOException {
        return new Mutant(Files.createDirectories(directory), List.of());
    }

    /** Edits, compiles and keeps what came out different, below {@code directory}. */
    static Mutant of(Tree tree, Rule rule, Path directory) throws IOException, Refused {
        Map<Path, String> edited = edit(tree, rule);
        Path all = directory.resolve("compiled");
        Set<Path> compiled = new LinkedHashSet<>(edited.keySet());
        compiled.addAll(usersOf(edited.keySet(), tree));
        Set<Path> different;
        while (true) {
            compile(tree, edited, compiled, all);
            different = different(tree, all, compiled);
            Set<Path> users = usersOf(different, tree);
            if (!compiled.addAll(users)) {
                break;
            }
        }
        if (different.isEmpty()) {
            throw new Refused(Verdict.MISSED, "the edit leaves the same code", "");
        }
        different.addAll(edited.keySet());
        Path kept = Files.createDirectories(directory.resolve("classes"));
        var names = new ArrayList<String>();
        for (Path source : different) {
            names.add(className(tree, source));
            for (Path file : classFiles(all, source, tree)) {
                Path target = kept.resolve(all.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.move(file, target);
            }
        }
        return new Mutant(kept, names);
    }

    private static Map<Path, String> edit(Tree tree, Rule rule) throws Refused {
        var edited = new LinkedHashMap<Path, String>();
        for (Edit edit : rule.edits()) {
            Path file = tree.root().resolve(edit.file());
            String text = edited.getOrDefault(file, tree.sources().get(file));
            if (text == null) {
                throw new Refused(Verdict.STALE, "no such source: " + edit.file(), "");
            }
            int first = text.indexOf(edit.find());
            if (first < 0 || text.indexOf(edit.find(), first + 1) >= 0) {
                throw new Refused(Verdict.STALE, edit.file() + (first < 0
                        ? " does not contain: " : " contains more than once: ")
                        + Judgement.firstLine(edit.find()), edit.find());
            }
            edited.put(file, text.substring(0, first) + edit.replacement()
                    + text.substring(first + edit.find().length()));
        }
        return edited;
    }

    /** The sources that mention the class of one of {@code files}. */
    private static Set<Path> usersOf(Set<Path> files, Tree tree) {
        var users = new LinkedHashSet<Path>();
        for (Path file : files) {
            String name = file.getFileName().toString().replace(".java", "");
            Pattern mention = Pattern.compile("\\b" + name + "\\b");
            tree.sources().forEach((source, text) -> {
                if (mention.matcher(text).find()) {
                    users.add(source);
                }
            });
        }
        return users;
    }

    private static void compile(Tree tree, Map<Path, String> edited, Set<Path> sources, Path to)
            throws IOException, Refused {
        Files.createDirectories(to);
        var units = new ArrayList<JavaFileObject>();
        for (Path source : sources) {
            units.add(new Source(source, edited.getOrDefault(source, tree.sources().get(source))));
        }
        var diagnostics = new DiagnosticCollector<JavaFileObject>();
        var compiler = ToolProvider.getSystemJavaCompiler();
        boolean compiles;
        try (var files = compiler.getStandardFileManager(diagnostics, Locale.ROOT,
                StandardCharsets.UTF_8)) {
            compiles = compiler.getTask(null, files, diagnostics, List.of("--release", "17", "-g",
                    "-nowarn", "-proc:none", "-XDstringConcat=inline",
                    "-cp", tree.compileClassPath(), "-d", to.toString()), null, units).call();
        }
        if (!compiles) {
            var errors = new StringBuilder();
            for (var diagnostic : diagnostics.getDiagnostics()) {
                if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                    errors.append(diagnostic).append('\n');
                }
            }
            throw new Refused(Verdict.COMPILE_ERROR, Judgement.firstLine(errors.toString()),
                    errors.toString());
        }
    }

    /** Those of {@code sources} of which some class is not what the tree's build made of it. */
    private static Set<Path> different(Tree tree, Path compiled, Set<Path> sources)
            throws IOException {
        var different = new LinkedHashSet<Path>();
        for (Path source : sources) {
            for (Path file : classFiles(compiled, source, tree)) {
                Path before = tree.classes().resolve(compiled.relativize(file).toString());
                if (!Files.exists(before) || Files.mismatch(file, before) >= 0) {
                    different.add(source);
                }
            }
        }
        return different;
    }

    /** The class files that {@code source} became below {@code directory}. */
    private static Set<Path> classFiles(Path directory, Path source, Tree tree)
            throws IOException {
        String path = className(tree, source).replace('.', '/');
        Path folder = directory.resolve(path).getParent();
        String name = source.getFileName().toString().replace(".java", "");
        if (!Files.isDirectory(folder)) {
            return Set.of();
        }
        try (var files = Files.list(folder)) {
            var found = new TreeSet<Path>();
            files.filter(file -> {
                String candidate = file.getFileName().toString();
                return candidate.equals(name + ".class") || candidate.startsWith(name + "$");
            }).forEach(found::add);
            return found;
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }

    private static String className(Tree tree, Path source) {
        Path apps = tree.root().resolve("apps");
        Path folder = source.startsWith(apps) ? apps : tree.root().resolve("src/main/java");
        return folder.relativize(source).toString().replace(".java", "").replace('/', '.');
    }

    /** A source whose text is not what stands in its file. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(Path file, String text) {
            super(file.toAbsolutePath().toUri(), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
