package m0.files;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityTagsTest {
    private static final String TAG = "\"a-1\"";

    @ParameterizedTest
    @ValueSource(strings = {"\"a-1\"", "*", " * ", "\"b\", \"a-1\"", "\"b\",\"a-1\",\"c\"",
        ", ,\"a-1\"", "W/\"b\"\t,\"a-1\"", "\"b,c\", \"a-1\"", "\"\", \"a-1\""})
    void namesIt(String list) {
        assertTrue(EntityTags.name(list, TAG, false), "strongly in " + list);
        assertTrue(EntityTags.name(list, TAG, true), "weakly in " + list);
    }

    @ParameterizedTest
    @ValueSource(strings = {"W/\"a-1\"", "\"b\", W/\"a-1\""})
    void namesItWeaklyAlone(String list) {
        assertFalse(EntityTags.name(list, TAG, false), "strongly in " + list);
        assertTrue(EntityTags.name(list, TAG, true), "weakly in " + list);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"a-2\"", "\"A-1\"", "a-1", "\"a-1", "a-1\"", "\"a-1 \"", "w/\"a-1\"",
        "W\"a-1\"", "W/ \"a-1\"", "\"b, \"a-1\"", "x, \"a-1\"", "*, \"b\"", "\"xa-1\"",
        "\"*\"", "W/*"})
    void doesNotNameIt(String list) {
        assertFalse(EntityTags.name(list, TAG, false), "strongly in " + list);
        assertFalse(EntityTags.name(list, TAG, true), "weakly in " + list);
    }
}
