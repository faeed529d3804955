package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
    private static final OneApplication PROGRAM =
            OneApplication.named(CommandLineTest.class.getClassLoader());

    @ParameterizedTest
    @EnumSource(Setting.class)
    void takesEveryFlagInBothForms(Setting setting) {
        assertEquals("7", line(setting.flag() + "=7").value(setting));
        if (setting.kind() == Setting.Kind.SWITCH) {
            assertEquals("1", line(setting.flag()).value(setting));
        } else {
            assertEquals("7", line(setting.flag() + " 7").value(setting));
        }
    }

    @Test
    void flagsAreTheVariablesNamesInSmallLetters() {
        assertEquals("--max-keepalive-requests", Setting.MAX_KEEPALIVE_REQUESTS.flag());
        assertEquals("M0_MAX_KEEPALIVE_REQUESTS", Setting.MAX_KEEPALIVE_REQUESTS.variable());
    }

    @Test
    void switchTakesNoValueFromTheNextWord() {
        CommandLine line = line("--metrics --port 7");
        assertEquals("1", line.value(Setting.METRICS));
        assertEquals("7", line.value(Setting.PORT));
        assertEquals("unexpected argument 1, --metrics takes no value", line("--metrics 1").error());
    }

    @Test
    void valueMayBeEmptyOrNegativeOrHoldAnEqualsSign() {
        assertEquals("", line("--origins=").value(Setting.ORIGINS));
        assertEquals("-1", line("--port -1").value(Setting.PORT));
        assertEquals("/x=hello", line("--mount=/x=hello").value(Setting.MOUNT));
    }

    @ParameterizedTest
    @CsvSource({"--bogus,unknown flag --bogus", "--bogus=1,unknown flag --bogus",
            "-p 1,unknown flag -p", "words,unexpected argument words",
            "--port,'--port has no value, it takes 0..65535'",
            "--port --metrics,'--port has no value, it takes 0..65535'",
            "--port 1 --port 2,--port is given twice",
            "--metrics --metrics,--metrics is given twice", "serve serve,unexpected argument serve",
            "--port 1 word,unexpected argument word"})
    void refusesALineItCannotRead(String words, String error) {
        assertEquals(error, line(words).error());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "--port 1 --help", "--bogus --help", "--help --bogus"})
    void helpIsFoundAnywhere(String words) {
        assertTrue(line(words).help());
    }

    @Test
    void doctorIsFoundBehindAnError() {
        assertTrue(line("--bogus --doctor").doctor());
        assertFalse(line("--port 1").doctor());
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "train"})
    void knowsTheSubcommands(String word) {
        CommandLine line = line(word + " --port 1");
        assertEquals(word, line.command());
        assertEquals("1", line.value(Setting.PORT));
    }

    /** Behind a switch, too, that is what is wrong with it. */
    @ParameterizedTest
    @CsvSource({"--threads 2 serve,serve", "--metrics serve,serve", "--port=1 train,train",
            "--port 1 publish news,publish"})
    void aSubcommandBehindFlagsIsToldWhereItStands(String words, String command) {
        assertEquals("unexpected argument " + command + ", a subcommand stands first",
                line(words).error());
    }

    /** A program with a {@code main} of its own meets it, which the jar's entry would have taken. */
    @Test
    void publishBeforeTheFlagsIsToldWhoTakesIt() {
        assertEquals("unexpected argument publish, which java -jar host.jar alone takes",
                line("publish news").error());
    }

    @Test
    void emptyLineSaysNothing() {
        CommandLine line = CommandLine.read(new String[0], PROGRAM);
        assertEquals("", line.command());
        assertEquals("", line.error());
        assertNull(line.value(Setting.PORT));
    }

    private static CommandLine line(String words) {
        return CommandLine.read(words.split(" "), PROGRAM);
    }
}
