package fragment_notes;

/**
 * The page's script and its style.
 *
 * <p>The script takes over links and forms that say {@code data-part}: it asks for the same, with
 * the field {@code Fragment}, follows the same redirect, and puts what comes into {@code main}.
 * What it cannot show it says. What it does not take over is the browser's as ever.
 */
final class NotesAssets {
    static final String SCRIPT = """
            "use strict";
            const main = document.querySelector("main");
            const said = document.getElementById("said");
            let asked = 0;

            function dress() {
              for (const time of main.querySelectorAll("time")) {
                time.textContent = new Date(time.dateTime).toLocaleString();
              }
            }

            function busy(is) {
              main.setAttribute("aria-busy", is);
              for (const button of main.querySelectorAll("button")) button.disabled = is;
            }

            async function refusal(answer) {
              const type = answer.headers.get("Content-Type") || "";
              if (type.startsWith("application/problem+json")) return (await answer.json()).detail;
              return "The server answered " + answer.status + ".";
            }

            function put(html, focus) {
              main.innerHTML = html;
              document.title = main.querySelector("h1").textContent;
              dress();
              (main.querySelector(focus) || main.querySelector("h1")).focus();
            }

            async function show(url, options, keep, done, focus) {
              const mine = ++asked;
              said.textContent = "";
              busy(true);
              try {
                const answer = await fetch(url, { ...options, headers: { Fragment: "main" } });
                const part = answer.headers.get("Fragment") === "main";
                const text = part ? await answer.text() : await refusal(answer);
                if (mine !== asked) return;
                if (part) {
                  put(text, focus);
                  said.textContent = answer.ok ? done : "";
                  if (keep && answer.ok && answer.url !== location.href) {
                    history.pushState(null, "", answer.url);
                  }
                } else {
                  said.textContent = text;
                }
              } catch (failure) {
                if (mine === asked) said.textContent = "The server did not answer; try again.";
              } finally {
                if (mine === asked) busy(false);
              }
            }

            document.addEventListener("click", event => {
              const link = event.target.closest("a[data-part]");
              const plain = event.button === 0
                && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
              if (link && plain) {
                event.preventDefault();
                show(link.href, {}, true, "", "h1");
              }
            });

            document.addEventListener("submit", event => {
              const form = event.target;
              if (form.matches("form[data-part]")) {
                event.preventDefault();
                const body = new URLSearchParams(new FormData(form));
                show(form.action, { method: "POST", body }, true, form.dataset.done,
                  form.matches(".add") ? "[data-focus]" : "h1");
              }
            });

            window.addEventListener("popstate", () => show(location.href, {}, false, "", "h1"));

            dress();
            """;

    static final String STYLE = """
            :root { color-scheme: light dark; --line: #8884; --accent: #0a7d5a; --bad: #b3261e; }
            @media (prefers-color-scheme: dark) { :root { --accent: #4fc79b; --bad: #ff8a80; } }
            body { font: 1.05rem/1.6 system-ui, sans-serif; margin: 6vh auto; max-width: 38rem;
              padding: 0 1.5rem; }
            h1 { font-size: 1.8rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
            h1:focus { outline: none; }
            form.add { display: grid; gap: .3rem; margin-bottom: 2rem; }
            label { font-size: .9rem; opacity: .8; }
            input, textarea { font: inherit; padding: .5rem .7rem; border: 1px solid var(--line);
              border-radius: .4rem; background: transparent; color: inherit; }
            textarea { resize: vertical; }
            button { font: inherit; padding: .4rem .9rem; border: 1px solid var(--line);
              border-radius: .4rem; background: transparent; color: inherit; cursor: pointer; }
            form.add button { justify-self: start; margin-top: .4rem; border-color: var(--accent);
              color: var(--accent); }
            button:disabled { opacity: .5; cursor: default; }
            :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
            a { color: var(--accent); }
            .notes { list-style: none; margin: 0; padding: 0; }
            .notes li { border-top: 1px solid var(--line); padding: .9rem 0; position: relative; }
            .notes li > a { font-weight: 600; text-decoration: none; padding-right: 5rem;
              overflow-wrap: anywhere; }
            .notes li > form { position: absolute; right: 0; top: .8rem; }
            .delete { font-size: .85rem; padding: .15rem .6rem; }
            .delete:hover { color: var(--bad); border-color: var(--bad); }
            .when { font-size: .85rem; opacity: .7; margin: 0; }
            .text { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0 0; }
            div.text { margin: 1rem 0; }
            .problem { color: var(--bad); margin: 0; }
            .offer { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .8rem;
              margin-bottom: 1rem; }
            .empty { opacity: .7; }
            #said { position: sticky; bottom: 1rem; color: var(--accent); min-height: 1.6rem; }
            """;

    private NotesAssets() { }
}
