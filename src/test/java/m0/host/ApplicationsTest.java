package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import org.junit.jupiter.api.Test;

class ApplicationsTest {
    private static final OneApplication PROGRAM =
            OneApplication.named(ApplicationsTest.class.getClassLoader());

    /** An application by its class. */
    public static class Fit implements App {
        @Override
        public AppHandler make(HostContext context) {
            throw new AssertionError("nothing is made to find an application");
        }
    }

    /** Needs an argument. */
    public static final class WithArgument extends Fit {
        public WithArgument(String argument) {
            super();
        }
    }

    /** Refuses to be built. */
    public static final class Throwing extends Fit {
        public Throwing() {
            throw new IllegalStateException("no\nlicence");
        }
    }

    @Test
    void findsANameOfTheTable() {
        Applications.Found<App> found =
                Applications.find("hello", App.class, getClass().getClassLoader());
        assertEquals("hello", found.name());
        assertEquals("hello.Hello", found.made().getClass().getName());
        assertEquals("", found.finding());
    }

    @Test
    void findsAClass() {
        assertInstanceOf(Fit.class, named(Fit.class.getName()).app());
    }

    @Test
    void saysWhatIsMissing() {
        assertFinding("nope", "M0_APP=nope: no application and no class is called nope");
        assertFinding("a.Nope", "M0_APP=a.Nope: no application and no class is called a.Nope");
        assertFinding("", "M0_APP=: it names no application");
        assertFinding("java.lang.String",
                "M0_APP=java.lang.String: class java.lang.String is no m0.app.App");
        assertFinding(WithArgument.class.getName(), "M0_APP=" + WithArgument.class.getName()
                + ": class " + WithArgument.class.getName()
                + " has no public constructor without arguments");
        assertFinding(Throwing.class.getName(), "M0_APP=" + Throwing.class.getName()
                + ": its constructor threw: no?licence");
    }

    /** The library's jar holds no samples, and nobody has set the variable. */
    @Test
    void aMissingDefaultIsToldAsTheDefault() {
        OneApplication program = OneApplication.named(ClassLoader.getPlatformClassLoader());
        assertEquals("the default M0_APP=hello: no application and no class is called hello",
                program.select(settings(Map.of()), "").application().detail());
    }

    @Test
    void programWithItsOwnApplicationRefusesAnotherName() {
        App app = new Fit();
        Selection alone = OneApplication.given(app).select(settings(Map.of()), "");
        assertSame(app, alone.app());
        assertTrue(alone.application().ok());
        assertEquals(Fit.class.getName(), alone.name());
        Selection other =
                OneApplication.given(app).select(settings(Map.of("M0_APP", "hello")), "");
        assertEquals("this program serves its own application " + Fit.class.getName()
                + ", not M0_APP=hello", other.application().detail());
        assertEquals("unset M0_APP and --app", other.application().fix());
    }

    private static void assertFinding(String name, String finding) {
        Selection selected = named(name);
        assertEquals(finding, selected.application().detail());
        assertNull(selected.app());
    }

    private static Selection named(String name) {
        return PROGRAM.select(settings(Map.of("M0_APP", name)), "");
    }

    private static Settings settings(Map<String, String> variables) {
        return new Settings(CommandLine.read(new String[0], PROGRAM), new Environment(variables),
                PROGRAM);
    }
}
