package m0.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MediaTypesTest {
    @ParameterizedTest
    @CsvSource({
        "index.html,       text/html; charset=utf-8",
        "INDEX.HTML,       text/html; charset=utf-8",
        "style.css,        text/css; charset=utf-8",
        "app.min.js,       text/javascript; charset=utf-8",
        "a.mjs,            text/javascript; charset=utf-8",
        "notes.txt,        text/plain; charset=utf-8",
        "data.json,        application/json",
        "picture.svg,      image/svg+xml",
        "picture.png,      image/png",
        "font.woff2,       font/woff2",
        "module.wasm,      application/wasm",
        "archive.tar.gz,   application/gzip",
        "film.mp4,         video/mp4",
        "favicon.ico,      image/vnd.microsoft.icon",
        "unknown.xyz,      application/octet-stream",
        "html,             application/octet-stream",
        "ends.with.,       application/octet-stream",
        "a.html.bak,       application/octet-stream",
    })
    void isToldByTheNamesEnd(String name, String expected) {
        assertEquals(expected, MediaTypes.of(name), "the type of " + name);
    }
}
