package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerCommandTest {
    @Test
    void theWordsAreThoseOfTheStartWithTheProgramByItsPath() {
        assertEquals(List.of("/jdk/bin/java", "-Xmx64m", "-jar", "host.jar", "--app", "", "a b"),
                WorkerCommand.of("/jdk/bin/java",
                        "java\0-Xmx64m\0-jar\0host.jar\0--app\0\0a b\0").words());
    }

    @Test
    void thisProcessKnowsItsOwn() throws IOException {
        List<String> words = WorkerCommand.ofThisProcess().words();
        assertTrue(words.get(0).endsWith("/bin/java"), words.get(0));
        assertTrue(words.size() > 1, words.toString());
    }
}
