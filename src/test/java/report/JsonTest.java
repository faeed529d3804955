package report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void writesEveryKindOfValue() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("text", "a \"quote\", a \\ and a\r\n");
        value.put("numbers", List.of(1L, 2.5));
        value.put("rows", List.of(Map.of("holds", true)));
        value.put("none", List.of());
        assertEquals("""
            {
              "text": "a \\"quote\\", a \\\\ and a\\u000d\\u000a",
              "numbers": [1, 2.5000],
              "rows": [
                {
                  "holds": true
                }
              ],
              "none": []
            }
            """, Json.write(value));
    }

    @Test
    void refusesWhatJsonCannotHold() {
        assertThrows(IllegalArgumentException.class, () -> Json.write(new Object()));
    }
}
