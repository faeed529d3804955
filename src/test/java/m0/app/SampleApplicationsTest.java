package m0.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** The list of names that {@code M0_APP} knows. */
class SampleApplicationsTest {
    @Test
    void everyNameLeadsToAnApplicationThatCanBeMade() throws Exception {
        Properties names = names();
        assertTrue(names.size() >= 3, names.toString());
        for (String name : names.stringPropertyNames()) {
            Object made = Class.forName(names.getProperty(name)).getConstructor().newInstance();
            if (made instanceof HttpHandler) {
                // It is for serve, and its own handler.
                continue;
            }
            App app = assertInstanceOf(App.class, made, name);
            try (AppHandler handler = app.make(context())) {
                assertNotNull(handler, name);
            }
        }
    }

    /** With what some of them do not start without. */
    private static HostContext context() {
        return new FakeHostContext().with("M0_FILES_ROOT", "target");
    }

    @Test
    void helloIsThere() throws IOException {
        assertEquals("hello.Hello", names().getProperty("hello"));
    }

    private static Properties names() throws IOException {
        var names = new Properties();
        try (InputStream in = App.class.getResourceAsStream("/m0-apps.properties")) {
            names.load(in);
        }
        return names;
    }
}
