/** Without fonts and images of other hosts. Colours have a contrast of at least 4.5 to 1, in light and in dark. */
export const style = `
:root { color-scheme: light dark; --text: #1a1d21; --dim: #50565e; --back: #f5f6f8; --card: #fff; --line: #c3c8cf;
  --accent: #1557b0; --on-accent: #fff; --bad: #a3141f; --note: #fff4d6; --warn: #b57700; }
@media (prefers-color-scheme: dark) { :root { --text: #e9ebee; --dim: #aab1ba; --back: #15181c; --card: #1f2328; --line: #454c55;
  --accent: #8ab8ff; --on-accent: #10151c; --bad: #ff9a9f; --note: #3b3214; --warn: #e0b040; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); }
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 1rem; }
header .top { display: flex; justify-content: space-between; gap: 1rem; flex-wrap: wrap; color: var(--dim); }
h1 { font-size: 1.6rem; margin: .5rem 0 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 0; }
a { color: var(--accent); } p { margin: .25rem 0; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
form.row { display: flex; gap: .75rem; flex-wrap: wrap; align-items: end; } .grows { flex: 1 1 14rem; }
.item form, .panel form { margin-top: .6rem; } #filter { margin-top: 1rem; } .searches #filter button { display: none; }
label { display: block; font-weight: 600; }
input, select, textarea, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--dim);
  border-radius: .4rem; padding: .4rem .6rem; max-width: 100%; }
input, select, button { min-height: 2.6rem; }
textarea, .wide { width: 100%; }
button { background: var(--accent); color: var(--on-accent); border-color: var(--accent); font-weight: 600; cursor: pointer; padding-inline: 1rem; }
button:hover { filter: brightness(1.12); } summary { cursor: pointer; color: var(--accent); margin-top: .25rem; width: fit-content; }
ul.items { list-style: none; padding: 0; margin: 0; display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 27rem), 1fr)); }
.item, .panel { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem; overflow-wrap: anywhere; }
.item { display: grid; grid-template-columns: 3rem 1fr; gap: .9rem; }
.icon { width: 3rem; height: 3rem; border-radius: .5rem; object-fit: contain; background: var(--back); display: grid; place-items: center;
  font-weight: 700; color: var(--dim); }
.dim { color: var(--dim); font-size: .9rem; } .bad { color: var(--bad); } .spread { display: flex; justify-content: space-between; gap: 1rem; }
.notice { background: var(--note); border: 1px solid var(--line); border-inline-start: .3rem solid var(--warn);
  border-radius: .4rem; padding: .6rem .9rem; margin: .5rem 0; } .notice.bad { border-inline-start-color: var(--bad); }
progress { width: 100%; accent-color: var(--accent); }
table { width: 100%; border-collapse: collapse; } th, td { text-align: left; padding: .35rem .5rem; border-bottom: 1px solid var(--line); }
.scroll { overflow-x: auto; } .panels { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); margin-top: 2rem; }
.panel h2 { margin-top: 0; } .hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 36rem) { table { font-size: .85rem; } th, td { padding: .3rem .25rem; hyphens: auto; } }
[hidden] { display: none !important; }
`
