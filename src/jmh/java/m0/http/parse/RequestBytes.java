package m0.http.parse;

import java.nio.charset.StandardCharsets;

/** The requests that the benchmarks parse and serve. */
public final class RequestBytes {
    private RequestBytes() { }

    /** What the whole-server benches send: 42 bytes. */
    public static byte[] small() {
        return bytes("GET /health HTTP/1.1", "Host: m0.example");
    }

    /** What a browser sends for a page: some 500 bytes. */
    public static byte[] browser() {
        return bytes("GET /notes/42?sort=date&page=3 HTTP/1.1",
                "Host: m0.example:8080",
                "Connection: keep-alive",
                "Upgrade-Insecure-Requests: 1",
                "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101",
                "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                "Accept-Encoding: gzip, deflate, br",
                "Accept-Language: en-GB,en;q=0.7,de;q=0.3",
                "Cookie: session=4f1c2a9e7b3d4c5e8f0a1b2c3d4e5f60",
                "Cache-Control: max-age=0",
                "Sec-Fetch-Mode: navigate",
                "If-None-Match: \"5e3-61f0\"");
    }

    private static byte[] bytes(String... lines) {
        return (String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }
}
