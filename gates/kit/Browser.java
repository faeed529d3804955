package kit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A headless Chromium in a process group of its own, driven over its DevTools protocol.
 *
 * <p>Where none is installed the gate is skipped and says so; with {@code M0GATES_BROWSER=required}
 * in the environment, as in CI, it fails.
 *
 * <p>Threads: the gate's. Owns: the process group and a profile directory; {@link #close} ends the
 * one and deletes the other, and so does a hook for what a gate forgot.
 */
public final class Browser implements AutoCloseable {

    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final Duration START_BOUND = Duration.ofSeconds(60);
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(20);
    private static final Path LOGS = Path.of("target", "gate-logs");
    private static final AtomicInteger STARTED = new AtomicInteger();
    private static final Set<Browser> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(
                new Thread(() -> OPEN.forEach(Browser::close), "browsers-left-behind"));
    }

    private final Process process;
    private final Path profile;
    private final HttpClient http = HttpClient.newHttpClient();
    private String devTools;

    private Browser(Process process, Path profile) {
        this.process = process;
        this.profile = profile;
    }

    /** Starts one with an empty profile, or skips the gate where there is none. */
    public static Browser start() {
        String executable = find();
        if (executable == null) {
            String missing = "no browser: none of " + NAMES + " is on the PATH";
            if ("required".equals(System.getenv("M0GATES_BROWSER"))) {
                throw new AssertionError(missing);
            }
            System.out.println("gates of pages are skipped, " + missing);
            Assumptions.abort(missing);
        }
        try {
            Path profile = Files.createTempDirectory("m0-gate-browser-");
            Files.createDirectories(LOGS);
            File log = LOGS.resolve(ProcessHandle.current().pid() + "-browser-"
                    + STARTED.incrementAndGet()).toFile();
            Process process = new ProcessBuilder("setsid", executable, "--headless=new",
                    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                    "--disable-background-networking", "--disable-component-update",
                    "--disable-default-apps", "--disable-extensions", "--disable-sync",
                    "--no-proxy-server", "--remote-debugging-port=0", "--user-data-dir=" + profile,
                    "about:blank")
                    .redirectInput(new File("/dev/null")).redirectErrorStream(true)
                    .redirectOutput(log).start();
            Browser browser = new Browser(process, profile);
            OPEN.add(browser);
            browser.awaitDevTools(log);
            return browser;
        } catch (IOException failure) {
            throw new AssertionError("the browser could not be started: " + failure, failure);
        }
    }

    private static String find() {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(":")) {
            for (String name : NAMES) {
                Path candidate = Path.of(directory, name);
                if (Files.isExecutable(candidate)) {
                    return candidate.toString();
                }
            }
        }
        return null;
    }

    /** The browser writes the port it took into its profile. */
    private void awaitDevTools(File log) {
        Path port = profile.resolve("DevToolsActivePort");
        try {
            ServerProcess.await("the browser's DevTools port", START_BOUND,
                    () -> lines(port).size() >= 2 || !process.isAlive());
            devTools = "http://127.0.0.1:" + lines(port).get(0);
        } catch (AssertionError | IndexOutOfBoundsException failure) {
            close();
            throw new AssertionError("the browser did not start, see " + log, failure);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException notYet) {
            return List.of();
        }
    }

    /** Opens a page in a tab of its own. */
    public Page open(String url) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(devTools + "/json/new?"
                    + url)).method("PUT", HttpRequest.BodyPublishers.noBody()).build();
            String target = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
            int begin = target.indexOf("ws://");
            Page page = new Page();
            page.socket = http.newWebSocketBuilder()
                    .buildAsync(URI.create(target.substring(begin, target.indexOf('"', begin))),
                            page)
                    .get(ANSWER_BOUND.toMillis(), TimeUnit.MILLISECONDS);
            return page;
        } catch (IOException | ExecutionException | TimeoutException failure) {
            throw new AssertionError("no page for " + url + ": " + failure, failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    /** Ends the whole group and deletes the profile. */
    @Override
    public void close() {
        if (!OPEN.remove(this)) {
            return;
        }
        try {
            new ProcessBuilder("kill", "-KILL", "--", "-" + process.pid()).inheritIO().start()
                    .waitFor();
            process.waitFor();
            long untilNs = System.nanoTime() + ANSWER_BOUND.toNanos();
            // Its children may still write for a moment.
            while (!isDeleted()) {
                if (System.nanoTime() - untilNs > 0) {
                    throw new AssertionError("the browser's profile stays: " + profile);
                }
                ServerProcess.pause(20);
            }
        } catch (IOException failure) {
            throw new AssertionError("ending the browser: " + failure, failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    /** Deletes what is there, and tells whether that was all. */
    private boolean isDeleted() {
        try (Stream<Path> tree = Files.walk(profile)) {
            for (Path file : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
            return true;
        } catch (IOException | UncheckedIOException stillWritten) {
            return !Files.exists(profile);
        }
    }

    /** One tab. */
    public static final class Page implements WebSocket.Listener, AutoCloseable {

        private final Map<Integer, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
        private final AtomicInteger calls = new AtomicInteger();
        private final StringBuilder message = new StringBuilder();
        private WebSocket socket;

        private Page() {
        }

        /** What the page shows, as a person would read it. */
        public String text() {
            return evaluate("document.body.innerText");
        }

        /** Evaluates an expression, whose value comes back as text. */
        public String evaluate(String expression) {
            String answer = call("Runtime.evaluate", "{\"expression\":"
                    + quoted("String(" + expression + ")") + ",\"awaitPromise\":true}");
            int begin = answer.indexOf("\"value\":\"");
            if (answer.contains("\"exceptionDetails\"") || begin < 0) {
                throw new AssertionError(expression + " failed: " + answer);
            }
            return unquoted(answer, begin + "\"value\":\"".length());
        }

        /** Waits until an expression is true; the failure quotes what the page shows. */
        public void await(String what, String expression, Duration bound) {
            try {
                ServerProcess.await(what, bound, () -> isTrue(expression));
            } catch (AssertionError late) {
                throw new AssertionError(late.getMessage() + "; the page shows:\n" + text(), late);
            }
        }

        /** Waits until the page shows {@code words}. */
        public void awaitText(String words, Duration bound) {
            await("\"" + words + "\" on the page",
                    "document.body.innerText.includes(" + quoted(words) + ")", bound);
        }

        /** Writes into a field and lets the form that holds it be sent. */
        public void submit(String fieldId, String text) {
            evaluate("(field => { field.value = " + quoted(text)
                    + "; field.form.requestSubmit(); })(document.getElementById("
                    + quoted(fieldId) + "))");
        }

        /** Closes the tab. */
        @Override
        public void close() {
            call("Page.close", "{}");
            socket.abort();
        }

        private boolean isTrue(String expression) {
            try {
                return evaluate(expression).equals("true");
            } catch (AssertionError betweenTwoDocuments) {
                return false;
            }
        }

        private String call(String method, String parameters) {
            int id = calls.incrementAndGet();
            CompletableFuture<String> answer = new CompletableFuture<>();
            answers.put(id, answer);
            try {
                socket.sendText("{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":"
                        + parameters + "}", true).get(ANSWER_BOUND.toMillis(),
                        TimeUnit.MILLISECONDS);
                return answer.get(ANSWER_BOUND.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException failure) {
                throw new AssertionError(method + " was not answered: " + failure, failure);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", interrupted);
            } finally {
                answers.remove(id);
            }
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            message.append(part);
            if (last) {
                answered(message.toString());
                message.setLength(0);
            }
            from.request(1);
            return null;
        }

        private void answered(String text) {
            String mark = "{\"id\":";
            if (text.startsWith(mark)) {
                int end = text.indexOf(',');
                CompletableFuture<String> answer =
                        answers.get(Integer.parseInt(text.substring(mark.length(), end)));
                if (answer != null) {
                    answer.complete(text);
                }
            }
        }

        private static String quoted(String text) {
            StringBuilder quoted = new StringBuilder("\"");
            for (char each : text.toCharArray()) {
                if (each < ' ' || each > '~' || each == '"' || each == '\\') {
                    quoted.append(String.format("\\u%04x", (int) each));
                } else {
                    quoted.append(each);
                }
            }
            return quoted.append('"').toString();
        }

        /** The JSON string that begins behind its quotation mark at {@code begin}. */
        private static String unquoted(String json, int begin) {
            StringBuilder text = new StringBuilder();
            int index = begin;
            while (json.charAt(index) != '"') {
                char each = json.charAt(index++);
                if (each != '\\') {
                    text.append(each);
                    continue;
                }
                char escaped = json.charAt(index++);
                switch (escaped) {
                    case 'n' -> text.append('\n');
                    case 't' -> text.append('\t');
                    case 'r' -> text.append('\r');
                    case 'b' -> text.append('\b');
                    case 'f' -> text.append('\f');
                    case 'u' -> {
                        text.append((char) Integer.parseInt(json.substring(index, index + 4), 16));
                        index += 4;
                    }
                    default -> text.append(escaped);
                }
            }
            return text.toString();
        }
    }
}
