package chat;

/**
 * The page: what was said, who came and went, and a line to write in.
 *
 * <p>Its script comes back by itself when its connection ends, later each time, and shows a message
 * once however often it is told of it. What people write reaches the page as text, never as markup.
 */
final class ChatPage {
    static final String HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Chat on m0 host</title>
            <link rel="icon" href="data:,">
            <style>
            :root { color-scheme: light dark; --line: #8884; --accent: #0a7d5a; --wait: #b26a00; }
            * { box-sizing: border-box; }
            body { font: 1.05rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 40rem;
              height: 100vh; height: 100dvh; display: flex; flex-direction: column;
              padding: 1rem 1.25rem; gap: .75rem; }
            #here, #loop { opacity: .7; font-variant-numeric: tabular-nums; }
            header { display: flex; align-items: baseline; gap: .75rem;
              border-bottom: 1px solid var(--line); padding-bottom: .5rem; }
            h1 { font-size: 1.4rem; margin: 0; flex: 1; }
            .state { color: var(--wait); }
            .live { color: var(--accent); }
            ol { list-style: none; margin: 0; padding: 0; flex: 1; overflow-y: auto; }
            li { padding: .3rem 0; overflow-wrap: anywhere; }
            li time { float: right; margin-left: 1rem; opacity: .6; font-size: .85em;
              font-variant-numeric: tabular-nums; }
            .note { opacity: .7; font-style: italic; }
            form { display: flex; gap: .5rem; }
            label { display: flex; flex-direction: column; font-size: .85rem; }
            label.text { flex: 1; }
            input, button { font: inherit; padding: .4rem .6rem; border-radius: .35rem;
              border: 1px solid var(--line); min-width: 0; }
            #name { width: 8rem; }
            button { align-self: end; background: var(--accent); color: #fff; border: 0; }
            button:disabled { opacity: .5; }
            </style>
            </head>
            <body>
            <header>
            <h1>Chat</h1>
            <span id="here"></span>
            <span id="loop"></span>
            <span id="state" class="state" role="status">connecting…</span>
            </header>
            <ol id="said" role="log" aria-label="What was said" tabindex="0"></ol>
            <noscript><p>The page's script is what talks to the room.</p></noscript>
            <form id="form" autocomplete="off">
            <label>Name <input id="name" maxlength="24"></label>
            <label class="text">Message <input id="text" maxlength="500"></label>
            <button id="send" disabled>Send</button>
            </form>
            <script>
            "use strict";
            const LINES_MAX = 300, SEEN_MAX = 500, AGAIN_MS = 500, AGAIN_MS_MAX = 8000;
            const place = id => document.getElementById(id);
            const seen = new Set();
            let socket = null, tries = 0;

            function state(text, live) {
              place("state").textContent = text;
              place("state").className = live ? "state live" : "state";
              place("send").disabled = !live;
            }

            function line(kind, text, at) {
              const list = place("said");
              const below = list.scrollHeight - list.scrollTop - list.clientHeight;
              const item = document.createElement("li");
              item.className = kind;
              const time = document.createElement("time");
              time.textContent = new Date(at).toLocaleTimeString();
              const words = document.createElement("span");
              words.className = "words";
              words.append(...text);
              item.append(time, words);
              list.append(item);
              while (list.children.length > LINES_MAX) list.firstChild.remove();
              if (below < 60) list.scrollTop = list.scrollHeight;
            }

            function said({ id, name, text, at }) {
              if (seen.has(id)) return;
              seen.add(id);
              if (seen.size > SEEN_MAX) seen.delete(seen.values().next().value);
              const who = document.createElement("strong");
              who.textContent = name;
              line("said", [who, ": " + text], at);
            }

            function told(notice) {
              const { kind, name, here, at } = notice;
              if (here !== undefined) place("here").textContent = here + " here";
              if (kind === "welcome") place("loop").textContent = "loop " + notice.loop;
              if (kind === "said") said(notice);
              if (kind === "came") line("note", [name + " came"], at);
              if (kind === "left") line("note", [name + " left"], at);
              if (kind === "refused") line("note", ["Not sent: " + notice.reason], Date.now());
            }

            function connect() {
              const scheme = location.protocol === "https:" ? "wss:" : "ws:";
              const name = encodeURIComponent(place("name").value);
              const mine = new WebSocket(scheme + "//" + location.host + "/ws?name=" + name);
              socket = mine;
              mine.onopen = () => { tries = 0; state("live", true); };
              mine.onmessage = event => told(JSON.parse(event.data));
              mine.onclose = () => {
                if (socket !== mine) return;
                state("reconnecting…", false);
                const waitMs = Math.min(AGAIN_MS * 2 ** tries++, AGAIN_MS_MAX);
                setTimeout(connect, waitMs * (0.5 + Math.random()));
              };
            }

            place("name").onchange = () => {
              localStorage.setItem("name", place("name").value);
              if (socket.readyState === WebSocket.OPEN) {
                const old = socket;
                old.onmessage = null;
                connect();
                old.close(1000);
              }
            };

            place("form").onsubmit = event => {
              event.preventDefault();
              const text = place("text").value.trim();
              if (text && socket.readyState === WebSocket.OPEN) {
                socket.send(text);
                place("text").value = "";
              }
              place("text").focus();
            };

            place("name").value = localStorage.getItem("name") || "guest";
            connect();
            place("text").focus();
            </script>
            </body>
            </html>
            """;

    private ChatPage() { }
}
