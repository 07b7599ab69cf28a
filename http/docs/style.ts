/** Without fonts or pictures; light or dark as the reader's system is. */
export const style = `
:root { color-scheme: light dark; --text: #1d2733; --soft: #5d6b7a; --line: #dfe5ec; --ground: #fff; --raised: #f5f7fa; --link: #0b5cad;
  --get: #0a7a44; --post: #0b5cad; --delete: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e8ee; --soft: #98a5b3; --line: #2d3742; --ground: #13181e; --raised: #1b222a; --link: #7ab8f5;
  --get: #5bc98c; --post: #7ab8f5; --delete: #f2877f; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 19rem minmax(0, 1fr); color: var(--text); background: var(--ground);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
code, pre { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
p code, li code, td:last-child code { background: var(--raised); border-radius: 4px; padding: 0.1em 0.3em; }
small { color: var(--soft); font-weight: normal; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem 1rem 3rem; border-right: 1px solid var(--line); background: var(--raised); font-size: 0.875rem; }
nav a { display: block; padding: 0.15rem 0.5rem; color: var(--text); border-radius: 4px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
nav a:hover { background: var(--line); text-decoration: none; }
nav .brand { font-size: 1.125rem; font-weight: 700; margin-bottom: 0.5rem; }
nav .chapter { margin-top: 1rem; font-weight: 650; }
nav b { display: inline-block; width: 3.4rem; font-size: 0.6875rem; }
main { padding: 2rem clamp(1rem, 4vw, 4rem) 6rem; max-width: 62rem; }
h1 { font-size: 2rem; margin: 0 0 0.5rem; }
h2 { font-size: 1.5rem; margin: 4rem 0 0.5rem; padding-top: 1rem; border-top: 2px solid var(--line); }
h3 { font-size: 1.125rem; margin: 2rem 0 0.5rem; }
h4 { font-size: 0.8125rem; margin: 1.5rem 0 0.4rem; text-transform: uppercase; letter-spacing: 0.05em; color: var(--soft); }
.lead { font-size: 1.0625rem; color: var(--soft); }
article { border: 1px solid var(--line); border-radius: 8px; padding: 0.25rem 1.25rem 1.25rem; margin: 1.5rem 0; }
article:target { border-color: var(--link); }
article h3 { margin-top: 1rem; }
.call { background: var(--raised); border-radius: 6px; padding: 0.5rem 0.75rem; margin: 0.5rem 0; }
.needs { color: var(--soft); font-size: 0.875rem; }
.get { color: var(--get); } .post { color: var(--post); } .delete { color: var(--delete); }
.status { color: var(--get); }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; display: block; overflow-x: auto; }
tbody { display: table; width: 100%; }
td { border-top: 1px solid var(--line); padding: 0.4rem 0.75rem 0.4rem 0; vertical-align: top; }
td:first-child { width: 32%; } td:nth-child(2) { width: 18%; color: var(--soft); }
.rule { color: var(--soft); font-size: 0.875rem; display: inline-block; margin-right: 0.5rem; }
details { margin: 0.5rem 0; }
summary { cursor: pointer; color: var(--link); font-size: 0.875rem; }
pre { background: var(--raised); border-radius: 6px; padding: 0.75rem 1rem; overflow-x: auto; margin: 0.5rem 0; }
.problems { font-size: 0.875rem; line-height: 2; }
.problems a { border: 1px solid var(--line); border-radius: 4px; padding: 0.1rem 0.4rem; margin-right: 0.25rem; white-space: nowrap; }
body > main:only-child { grid-column: 1 / -1; margin: 0 auto; width: 100%; max-width: 46rem; }
dt { font-weight: 650; margin-top: 1rem; } dd { margin: 0.25rem 0 0; }
@media (max-width: 60rem) { body { display: block; } nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); } }
@media print { nav { display: none; } body { display: block; } article { break-inside: avoid; } }
`;
