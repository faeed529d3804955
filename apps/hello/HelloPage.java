package hello;

/**
 * The page's text, around the rows that its handler fills in.
 *
 * <p>Its script shows what the event stream {@code /beats} says. Each loop's beats are counted by
 * that loop, so the page can tell whether one is missing; what the host could not replay it
 * announces itself, by a {@code gap} event, and the counting begins anew.
 */
final class HelloPage {
    static final String BEGIN = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>m0 host</title>
            <link rel="icon" href="data:,">
            <style>
            :root { color-scheme: light dark; --line: #8884; --accent: #0a7d5a; --wait: #b26a00; }
            body { font: 1.05rem/1.6 system-ui, sans-serif; margin: 10vh auto; max-width: 34rem;
              padding: 0 1.5rem; }
            h1 { font-size: 2rem; margin: 0; }
            h1::after { content: ""; display: block; width: 3rem; height: .25rem;
              margin: .6rem 0 1rem; background: var(--accent); border-radius: 2px; }
            h2 { font-size: 1.15rem; margin: 2rem 0 0; }
            dl { display: grid; grid-template-columns: max-content 1fr; margin: 1.5rem 0;
              border-top: 1px solid var(--line); }
            dt, dd { padding: .45rem 0; margin: 0; border-bottom: 1px solid var(--line); }
            dt { opacity: .7; padding-right: 2rem; }
            dd { text-align: right; font-variant-numeric: tabular-nums; }
            table { border-collapse: collapse; width: 100%; margin: .8rem 0; }
            th, td { border-bottom: 1px solid var(--line); padding: .45rem 0; font-weight: 400;
              text-align: right; font-variant-numeric: tabular-nums; }
            th:first-child { text-align: left; }
            thead th { opacity: .7; }
            tbody th::before { content: ""; display: inline-block; width: .55rem; height: .55rem;
              margin-right: .6rem; border-radius: 50%; background: var(--accent); }
            .state { color: var(--wait); }
            .live { color: var(--accent); }
            code { font: .95em ui-monospace, monospace; }
            a { color: var(--accent); }
            </style>
            </head>
            <body>
            <h1>It serves.</h1>
            <p>This page was answered by <strong>m0 host for Java</strong>: a selector loop and a
            parser of its own, no framework. The application behind it is <code>hello</code>.</p>
            <dl>
            """;

    static final String END = """
            </dl>
            <h2>Beats: <span id="state" class="state" role="status">connecting…</span></h2>
            <p id="held">Each loop sends one beat a second, for as long as somebody looks.</p>
            <noscript><p>A browser that runs the page's script shows them here.</p></noscript>
            <table aria-label="Beats of each loop">
            <thead><tr><th scope="col">From</th><th scope="col">Beats</th>
            <th scope="col">Missed</th></tr></thead>
            <tbody id="beats"></tbody>
            </table>
            <p id="note" role="status"></p>
            <p><a href="/health"><code>/health</code></a> answers <code>ok</code>. Another
            application is served with <code>M0_APP=NAME</code> or <code>--app NAME</code>;
            <code>--help</code> lists the rest.</p>
            <script>
            "use strict";
            const AGAIN_MS = 2000;
            const place = id => document.getElementById(id);
            const rows = new Map();

            function state(text, live) {
              place("state").textContent = text;
              place("state").className = live ? "state live" : "state";
            }

            function rowOf(loop) {
              if (!rows.has(loop)) {
                const line = document.createElement("tr");
                const name = document.createElement("th");
                name.scope = "row";
                name.textContent = "Loop " + loop;
                line.append(name, document.createElement("td"), document.createElement("td"));
                rows.set(loop, { loop, line, count: 0, missed: 0 });
                place("beats").replaceChildren(
                  ...[...rows.values()].sort((a, b) => a.loop - b.loop).map(row => row.line));
              }
              return rows.get(loop);
            }

            function beat(event) {
              const { loop, count } = JSON.parse(event.data);
              const row = rowOf(loop);
              if (row.count > 0) row.missed += Math.max(0, count - row.count - 1);
              row.count = count;
              row.line.children[1].textContent = count;
              row.line.children[2].textContent = row.missed || "none";
            }

            function gap() {
              rows.clear();
              place("beats").replaceChildren();
              place("note").textContent =
                "Gap: the server cannot say what came meanwhile, so counting began anew at "
                + new Date().toLocaleTimeString() + ".";
            }

            function here(event) {
              const { loop, loops } = JSON.parse(event.data);
              place("held").textContent = "Each loop sends one beat a second, for as long as"
                + " somebody looks. Loop " + loop + (loops > 1 ? ", one of " + loops + "," : "")
                + " brings them to this page.";
            }

            function connect() {
              const source = new EventSource("/beats");
              source.onopen = () => state("live", true);
              source.onerror = () => {
                state("reconnecting…", false);
                if (source.readyState === EventSource.CLOSED) setTimeout(connect, AGAIN_MS);
              };
              source.addEventListener("here", here);
              source.addEventListener("beat", beat);
              source.addEventListener("gap", gap);
            }

            connect();
            </script>
            </body>
            </html>
            """;

    private HelloPage() { }
}
