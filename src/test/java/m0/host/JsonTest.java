package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void putsCommasBetweenValuesOnly() {
        Json json = new Json();
        json.open('{').name("a").value(1).name("b").open('[').value("x").value(true)
                .open('{').close('}').close(']').name("c").value((String) null).close('}');
        assertEquals("{\"a\":1,\"b\":[\"x\",true,{}],\"c\":null}", json.toString());
    }

    @Test
    void escapesWhateverIsNotPlainAscii() {
        assertEquals("\"\\\"\\\\\\u000a\\u0000\\u007f\\u00e9~ \"",
                new Json().value("\"\\\n\0\u007f\u00e9~ ").toString());
    }
}
