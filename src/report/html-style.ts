/** The look of the HTML report: no font, picture or rule from elsewhere. */

export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1b1f24; --quiet: #57606a; --line: #d5dae0; --soft: #f4f6f8;
  --created: #1a7f4b; --already_created: #66a986; --skipped: #8a9a90; --planned: #2f6fbd; --invalid: #a8194b;
  --rejected: #c4511c; --unknown: #9a6b00; --not_sent: #6b7480;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181d; --text: #e6eaee; --quiet: #a2acb7; --line: #39424c; --soft: #1d232a;
    --created: #4cc384; --already_created: #2f8a5c; --skipped: #75857b; --planned: #6ea8ee; --invalid: #f0709a;
    --rejected: #f0905c; --unknown: #dfb04a; --not_sent: #98a3af;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.5rem; }
footer { padding-bottom: 2rem; color: var(--quiet); font-size: 0.875rem; }
.kind { margin: 0; color: var(--quiet); }
h1 { margin: 0 0 1rem; font-size: 1.9rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.75rem; padding-top: 0.75rem; border-top: 1px solid var(--line); font-size: 1.35rem; }
h3 { margin: 1.75rem 0 0.25rem; font-size: 1.1rem; }
p { margin: 0.25rem 0 0.75rem; max-width: 46rem; }
.note { color: var(--quiet); }
code, .key { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: 0.85em; }
code { overflow-wrap: anywhere; }
ul { list-style: none; margin: 0; padding: 0; }
.tiles { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.tile {
  flex: 0 1 9rem; padding: 0.5rem 0.9rem 0.6rem; background: var(--soft);
  border-left: 0.4rem solid var(--state, var(--quiet)); border-radius: 0.25rem;
}
.tile .count { display: block; font-size: 1.6rem; font-weight: 600; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tile .label { color: var(--quiet); }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 0.6rem 1.5rem; margin: 0 0 1rem; }
dl > div:last-child { grid-column: 1 / -1; }
dt { color: var(--quiet); font-size: 0.875rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; margin: 0 0 1rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.925rem; }
caption { padding: 0.25rem 0; text-align: left; color: var(--quiet); font-size: 0.95em; }
th, td { padding: 0.35rem 1.25rem 0.35rem 0; text-align: left; vertical-align: top; font-weight: 400; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--quiet); font-size: 0.95em; border-bottom-width: 2px; white-space: nowrap; overflow-wrap: normal; }
th, td { overflow-wrap: anywhere; }
td { min-width: 4rem; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.sum td, .sum th { font-weight: 600; background: var(--soft); }
.key { color: var(--quiet); overflow-wrap: anywhere; }
.aside { color: var(--quiet); font-size: 0.9em; white-space: nowrap; }
.state { white-space: nowrap; }
.state::before, h3[class]::before {
  content: ""; display: inline-block; width: 0; height: 0; margin-right: 0.45em;
  border: 0.33em solid var(--state, var(--quiet)); border-radius: 0.12em;
}
figure { margin: 1rem 0 1.5rem; }
figcaption { color: var(--quiet); font-size: 0.9rem; }
.legend { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0.25rem 0 0.75rem; font-size: 0.925rem; }
.bars { display: grid; grid-template-columns: fit-content(14rem) 1fr auto; gap: 0 1rem; }
/* One grid for all bars: with columns of their own, bars of the same length would mean different amounts. */
.bars li {
  display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: center;
  padding: 0.3rem 0; break-inside: avoid;
}
.bars .name { grid-row: 1; overflow-wrap: anywhere; }
.bars .figure { grid-row: 1; grid-column: 3; text-align: right; font-variant-numeric: tabular-nums; }
.bars svg { grid-row: 1; grid-column: 2; display: block; width: 100%; height: 1rem; }
.bars .parts { grid-column: 2 / -1; color: var(--quiet); font-size: 0.875rem; }
rect { fill: var(--state, var(--quiet)); }
.state-created { --state: var(--created); }
.state-already_created { --state: var(--already_created); }
.state-skipped { --state: var(--skipped); }
.state-planned { --state: var(--planned); }
.state-invalid { --state: var(--invalid); }
.state-rejected { --state: var(--rejected); }
.state-unknown { --state: var(--unknown); }
.state-not_sent { --state: var(--not_sent); }
@media (max-width: 40rem) {
  main, footer { padding: 0 0.9rem; }
  h1 { font-size: 1.5rem; }
  .tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(7.5rem, 1fr)); }
  table { font-size: 0.8rem; }
  th, td { padding-right: 0.6rem; }
  td { min-width: 0; }
  .bars { grid-template-columns: 1fr auto; }
  thead th, thead .number { white-space: normal; }
  .bars .figure { grid-column: 2; }
  .bars svg { grid-row: 2; grid-column: 1 / -1; }
  .bars .parts { grid-column: 1 / -1; }
}
@page { margin: 14mm 12mm; }
@media print {
  :root {
    color-scheme: light;
    --page: #ffffff; --text: #000000; --quiet: #444444; --line: #bbbbbb; --soft: #ffffff;
    --created: #1a7f4b; --already_created: #66a986; --skipped: #8a9a90; --planned: #2f6fbd; --invalid: #a8194b;
    --rejected: #c4511c; --unknown: #9a6b00; --not_sent: #6b7480;
  }
  :root { font-size: 10pt; }
  body { font-size: 1rem; line-height: 1.35; }
  main, footer { max-width: none; padding: 0; }
  header { padding-top: 0; }
  h1 { font-size: 17pt; }
  h2 { font-size: 13pt; margin-top: 1.5rem; }
  h2, h3, h3 + p, caption, figcaption { break-after: avoid; }
  tr, figure, .tile { break-inside: avoid; }
  .wide { overflow: visible; }
  table { font-size: 8.5pt; }
  th, td { padding-top: 0.2rem; padding-bottom: 0.2rem; }
  .key { font-size: 7pt; }
}
`;
