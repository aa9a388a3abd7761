"""Style and script of the page that `pressure --html` writes. No resource from elsewhere, no framework."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light dark; --ink: #1c2330; --faint: #6b7587; --paper: #ffffff; --soft: #f3f5f8; --line: #dde2ea;
  --low: #3b9a6d; --mid: #d99a1c; --high: #d6453d; --tick: #8b94a5; --pick: #e4edff; --mark: #fff1c9;
  --comment: #6f7b8c; --word: #7a3fb5; --text: #1d7a48; --link: #2458c5; }
@media (prefers-color-scheme: dark) { :root { --ink: #dbe1ea; --faint: #8f9bb0; --paper: #14181f; --soft: #1c222c;
  --line: #2d3644; --low: #43a878; --mid: #d9a23a; --high: #e5605a; --tick: #75819a; --pick: #223452; --mark: #40361a;
  --comment: #7f8b9d; --word: #c49bf0; --text: #79cf9d; --link: #86aef5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
code, .rows, td.n, .mono { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
.page { display: grid; grid-template-columns: minmax(0, 1fr) minmax(20rem, 30rem); gap: 0 1.5rem; padding: 0 1.25rem; }
header.top { grid-column: 1 / -1; padding: .9rem 0 .2rem; }
h1 { font-size: 1.05rem; margin: 0; font-weight: 600; } h1 span, h2 span { color: var(--faint); font-weight: 400; }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; padding-top: .3rem; }
.caveat { color: var(--faint); max-width: 60rem; margin: .3rem 0 0; }
.legend span { display: inline-block; vertical-align: -1px; margin: 0 .2rem 0 .6rem; height: .8rem; }
.legend .bar { width: 1.4rem; padding: 0; } .legend .bar i, .legend .bar b { width: 100%; }
.legend .bar:first-child { margin-left: 0; } .legend .bar::after { content: none; }
.legend .rule { border-left: 1px solid var(--tick); width: 1px; }
section { margin: 0 0 2.5rem; } h2 { font-size: 1rem; margin: 1rem 0 .4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; margin: 0 0 .6rem; }
dt { color: var(--faint); } dd { margin: 0; }
.rows { font-size: 12.5px; line-height: 1.5; border: 1px solid var(--line); border-radius: 6px; }
.ruler, .row { display: grid; grid-template-columns: 4.2rem 3rem 3.2rem clamp(9rem, 24%, 22rem) minmax(0, 1fr);
  align-items: stretch; }
.plain .ruler, .plain .row { grid-template-columns: 4.2rem 3rem clamp(9rem, 24%, 22rem) minmax(0, 1fr); }
.ruler { position: sticky; top: 0; z-index: 2; background: var(--soft); color: var(--faint); font-size: 11px;
  border-bottom: 1px solid var(--line); border-radius: 6px 6px 0 0; height: 2.6rem; }
.ruler > span { text-align: right; align-self: end; padding: 0 .5rem .1rem 0; }
.ruler .scale { position: relative; padding: 0; align-self: stretch; }
.scale b, .scale i { position: absolute; font-weight: 400; font-style: normal; white-space: nowrap; }
.scale b { bottom: .1rem; transform: translateX(-100%); padding-right: 2px; } .scale i { top: .15rem;
  transform: translateX(-50%); }
.row { cursor: default; outline: none; min-height: 1.5em; scroll-margin: 4rem; }
.row > span { text-align: right; padding-right: .5rem; color: var(--faint); user-select: none; }
.row .amount { color: var(--ink); } .row.peak .amount { color: var(--high); font-weight: 700; }
.row.peak .no::before { content: "\\25B6"; color: var(--high); float: left; padding-left: .35rem; }
.row:hover, .row.here { background: var(--pick); } .row.pinned { box-shadow: inset 3px 0 var(--link); }
.row.touch { background: var(--mark); } .row:focus-visible { box-shadow: inset 0 0 0 2px var(--link); }
.bar { position: relative; display: flex; padding: 2px 0; }
.bar::after, .scale::after { content: ""; position: absolute; inset: 0; background-image: var(--ticks);
  pointer-events: none; }
.bar i, .bar b { display: block; height: 100%; background: var(--low); }
.bar b { opacity: .38; } .mid .bar i, .mid .bar b { background: var(--mid); }
.high .bar i, .high .bar b { background: var(--high); } .still .bar i { opacity: .45; }
.row code { white-space: pre; overflow: hidden; text-overflow: ellipsis; padding-left: .8rem; tab-size: 4;
  font-size: inherit; }
.row em { font-style: normal; color: var(--faint); padding-left: 1.2rem; }
.c { color: var(--comment); } .k { color: var(--word); } .s { color: var(--text); }
aside { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 1rem 0 2rem; }
aside h3 { margin: 0 0 .3rem; font-size: .95rem; } aside p { margin: .3rem 0; color: var(--faint); }
aside p.what { color: var(--ink); }
aside table { border-collapse: collapse; width: 100%; font-size: 12.5px; }
aside th { text-align: left; font-weight: 400; color: var(--faint); border-bottom: 1px solid var(--line); }
aside th, aside td { padding: .18rem .5rem .18rem 0; vertical-align: top; }
aside td.n, aside th.n { text-align: right; white-space: nowrap; }
aside tbody tr:hover { background: var(--mark); }
aside .type { color: var(--faint); }
kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 .3em; font-size: .85em; }
@media (max-width: 60rem) { .page { display: block; } aside { position: fixed; bottom: 0; left: 0; right: 0; top: auto;
  max-height: 38vh; background: var(--paper); border-top: 1px solid var(--line); padding: .6rem 1.25rem; }
  section:last-of-type { margin-bottom: 42vh; } }
@media print { aside { display: none; } .page { display: block; } }
"""

# Rows are there without it; it fills the panel. All text goes through textContent, so that no source can be markup.
SCRIPT = """
(() => {
  'use strict';
  const kernels = JSON.parse(document.getElementById('data').textContent).kernels;
  const panel = document.getElementById('panel');
  let pinned = null, here = null;
  const make = (tag, text, name) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (name) node.className = name;
    return node;
  };
  const rowAt = (kernel, line) => document.getElementById('k' + kernel + '-L' + line);
  const place = row => { const m = /^k(\\d+)-L(\\d+)$/.exec(row.id); return [+m[1], +m[2]]; };
  const count = (n, noun) => n + ' ' + noun + (n === 1 ? '' : 's');
  const unmark = () => document.querySelectorAll('.touch').forEach(node => node.classList.remove('touch'));
  const link = (kernel, line) => {
    const node = make('a', line);
    node.href = '#k' + kernel + '-L' + line;
    return node;
  };
  const entry = (body, kernel, value) => {
    const row = make('tr'), name = make('td');
    name.append(make('code', value.name), ' ', make('span', value.type, 'type'));
    const from = make('td', undefined, 'n'), to = make('td', undefined, 'n');
    from.append(link(kernel, value.defined));
    to.append(link(kernel, value.last_used));
    const what = make('td', value.kind);
    if (value.remark) what.append(make('span', ', ' + value.remark, 'type'));
    row.append(name, make('td', value.registers + (value.guessed ? '?' : ''), 'n'), from, to, what);
    body.append(row);
    row.addEventListener('mouseenter', () => {
      unmark();
      value.lines.map(line => rowAt(kernel, line)).filter(at => at).forEach(at => at.classList.add('touch'));
    });
    row.addEventListener('mouseleave', unmark);
  };
  const table = (kernel, values) => {
    const node = make('table'), head = make('tr'), body = make('tbody'), top = make('thead');
    [['value', ''], ['regs', 'n'], ['defined', 'n'], ['last used', 'n'], ['what it is', '']].forEach(
      ([text, name]) => head.append(make('th', text, name)));
    values.forEach(value => entry(body, kernel, value));
    top.append(head);
    node.append(top, body);
    return node;
  };
  const show = row => {
    const [kernel, number] = place(row), data = kernels[kernel];
    const line = data.lines[number - data.lines[0].line];
    here && here.classList.remove('here');
    (here = row).classList.add('here');
    const values = line.values.map((i, at) => (
      { ...data.values[i], registers: line.value_registers[at], remark: line.remarks[i] }));
    const own = values.filter(v => !v.scalar), shared = values.filter(v => v.scalar);
    panel.replaceChildren(make('h3', data.name + ', line ' + number + ': ' + count(line.registers, 'register')));
    const parts = [count(line.live, 'register') + ' of ' + count(own.length, 'value'), ...line.beyond]
      .map(text => text.replace(/`/g, ''));
    panel.append(make('p', parts.join('; '), 'what'));
    line.insides.forEach(text => panel.append(make('p', text)));
    if (!line.code) panel.append(make('p', 'No operation on this line: what the code around it carries past.'));
    if (own.length) panel.append(table(kernel, own));
    if (shared.length) panel.append(make('p', 'In ' + data.home + ' (' + line.scalar + '):'), table(kernel, shared));
  };
  const pin = row => {
    pinned && pinned.classList.remove('pinned');
    pinned = row;
    unmark();
    if (row) { row.classList.add('pinned'); show(row); }
  };
  const rowOf = event => event.target.closest ? event.target.closest('.row') : null;
  document.addEventListener('mouseover', event => { const row = rowOf(event); if (row && !pinned) show(row); });
  document.addEventListener('focusin', event => { const row = rowOf(event); if (row && !pinned) show(row); });
  document.addEventListener('click', event => { const row = rowOf(event); if (row) pin(row === pinned ? null : row); });
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape') return pin(null);
    const row = rowOf(event);
    if (!row) return;
    if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); return pin(row === pinned ? null : row); }
    const next = event.key === 'ArrowDown' ? row.nextElementSibling
      : event.key === 'ArrowUp' ? row.previousElementSibling : null;
    if (!next || !next.classList.contains('row')) return;
    event.preventDefault();
    row.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    if (pinned) pin(next);
  });
  const follow = () => {
    const row = location.hash ? document.getElementById(location.hash.slice(1)) : null;
    if (row && row.classList.contains('row')) { pin(row); row.scrollIntoView({ block: 'center' }); }
  };
  addEventListener('hashchange', follow);
  const first = document.querySelector('.row.peak');
  if (first) show(first);
  follow();
})();
"""
