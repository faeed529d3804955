package m0.files;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The type of a file by the end of its name. Text is taken to be UTF-8, and said to be: a browser
 * that guesses guesses wrong. Threads: any.
 */
final class MediaTypes {
    static final String UNKNOWN = "application/octet-stream";

    private static final String TEXT = "text/";
    private static final Map<String, String> TYPES = table("""
            text/html                       html htm
            text/css                        css
            text/javascript                 js mjs
            text/plain                      txt text log conf ini
            text/markdown                   md
            text/csv                        csv
            text/calendar                   ics
            text/vtt                        vtt
            application/json                json map
            application/manifest+json       webmanifest
            application/ld+json             jsonld
            application/xml                 xml xsl
            application/atom+xml            atom
            application/rss+xml             rss
            application/xhtml+xml           xhtml
            application/wasm                wasm
            application/pdf                 pdf
            application/zip                 zip
            application/gzip                gz tgz
            application/x-tar               tar
            application/java-archive        jar
            image/png                       png
            image/jpeg                      jpg jpeg
            image/gif                       gif
            image/webp                      webp
            image/avif                      avif
            image/svg+xml                   svg
            image/bmp                       bmp
            image/tiff                      tif tiff
            image/vnd.microsoft.icon        ico
            font/woff                       woff
            font/woff2                      woff2
            font/ttf                        ttf
            font/otf                        otf
            audio/mpeg                      mp3
            audio/mp4                       m4a
            audio/ogg                       oga ogg opus
            audio/wav                       wav
            audio/flac                      flac
            video/mp4                       mp4 m4v
            video/webm                      webm
            video/ogg                       ogv
            video/quicktime                 mov
            """);

    private MediaTypes() { }

    /** A type and its name endings a line. */
    private static Map<String, String> table(String lines) {
        var types = new HashMap<String, String>();
        for (String line : lines.split("\n")) {
            String[] words = line.split(" +");
            String type = words[0].startsWith(TEXT) ? words[0] + "; charset=utf-8" : words[0];
            for (int index = 1; index < words.length; index++) {
                types.put(words[index], type);
            }
        }
        return Map.copyOf(types);
    }

    /** The type of a file of that name, letter case ignored. */
    static String of(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? UNKNOWN
                : TYPES.getOrDefault(name.substring(dot + 1).toLowerCase(Locale.ROOT), UNKNOWN);
    }
}
