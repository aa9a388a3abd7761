// The table of all kernels and the list of all findings.
const worstOf = row => {
  const { kernel, target } = row, counts = kernel.counts;
  return [counts[0], counts[1], target.scratch > 0 ? 1 : 0, toneOf(target.registers[1], target.tones),
    1 - target.waves / target.most, target.registers[1]];
};
const columns = [
  { key: 'name', text: 'kernel', of: row => row.kernel.name.toLowerCase(), up: true },
  { key: 'where', text: 'where', of: row => row.kernel.path + ':' + String(row.kernel.line).padStart(7), up: true },
  { key: 'target', text: 'target', of: row => row.target.name, up: true },
  { key: 'findings', text: 'findings', of: row => row.kernel.counts },
  { key: 'registers', text: 'registers', of: row => row.target.registers[1], number: true },
  { key: 'band', text: 'band', of: row => row.target.registers[2], number: true },
  { key: 'budget', text: 'budget', of: row => row.target.budget, number: true, up: true },
  { key: 'scratch', text: 'scratch', of: row => row.target.scratch, number: true },
  { key: 'lds', text: index.lds, of: row => row.target.lds || 0, number: true },
  { key: 'block', text: 'block', of: row => row.kernel.block, number: true },
  { key: 'waves', text: index.waves, of: row => row.target.waves / row.target.most, number: true, up: true },
  { key: 'limited', text: 'limited by', of: row => row.target.limited, up: true },
];
const compare = (one, two) => {
  if (!Array.isArray(one)) return one < two ? -1 : one > two ? 1 : 0;
  const at = one.findIndex((value, i) => value !== two[i]);
  return at < 0 ? 0 : one[at] - two[at];
};

// What a search says: words of names, paths, rules, languages; comparisons as in `registers>96 waves<=4`.
const measures = {
  registers: row => row.target.registers[1], low: row => row.target.registers[0], high: row => row.target.registers[2],
  waves: row => row.target.waves, scratch: row => row.target.scratch, lds: row => row.target.lds || 0,
  block: row => row.kernel.block, budget: row => row.target.budget,
  findings: row => row.kernel.counts.reduce((sum, each) => sum + each, 0),
  errors: row => row.kernel.counts[0], warnings: row => row.kernel.counts[1],
};
const relations = {
  '<': (a, b) => a < b, '<=': (a, b) => a <= b, '>': (a, b) => a > b, '>=': (a, b) => a >= b,
  '=': (a, b) => a === b, '!=': (a, b) => a !== b,
};
const test = word => {
  const parts = /^([a-z]+)(<=|>=|!=|<|>|=)(\d+(?:\.\d+)?)$/.exec(word);
  if (parts && Object.hasOwn(measures, parts[1]))
    return row => relations[parts[2]](measures[parts[1]](row), Number(parts[3]));
  return row => row.text.includes(word);
};
const allRows = kernels.flatMap((kernel, at) => kernel.targets.map(target => ({ kernel, target, at,
  text: [kernel.name, kernel.path, kernel.language, ...kernel.codes].join(' ').toLowerCase() })));
const chosenRows = () => {
  const tests = state.filter.toLowerCase().split(/\s+/).filter(Boolean).map(test);
  const rows = allRows.filter(row => (!state.target || row.target.name === state.target) && tests.every(is => is(row)));
  const column = columns.find(each => each.key === state.sort);
  const key = column ? column.of : worstOf;
  const sign = (column && column.up ? 1 : -1) * (state.down ? 1 : -1);
  return rows.map(row => [key(row), row]).sort(([one], [two]) => sign * compare(one, two)).map(([, row]) => row);
};

// The next step without the word that stands before it: `registers; 96 -> 5 waves`.
const briefly = ({ limited, next }) => next.startsWith(limited + ' ') ? next.slice(limited.length + 1) : next;

const CHUNK = 150; // rows that are drawn at once; more as the reader comes near them
const rowOf = row => {
  const { kernel, target, at } = row, unserved = target.unserved;
  const link = make('a', { href: '#k' + at + (several ? '/' + target.name : '') }, kernel.name);
  const tone = 'n tone' + toneOf(target.registers[1], target.tones);
  const cells = unserved ? [make('td', { colspan: 8, class: 'faint' }, spoken(unserved))] : [
    make('td', { class: tone }, make('b', {}, String(target.registers[1])),
      make('span', { class: 'faint' }, target.spread[0])),
    make('td', { class: 'n' }, target.registers[0] + '-' + target.registers[2]),
    make('td', { class: 'n' }, String(target.budget)),
    make('td', { class: 'n' + (target.scratch ? ' bad' : '') }, target.scratch + target.spread[1]),
    make('td', { class: 'n' }, target.lds === null ? '?' : String(target.lds)),
    make('td', { class: 'n' }, kernel.block + (kernel.block_from === 'assumed' ? '?' : '')),
    make('td', { class: 'n' }, short(target.waves) + ' of ' + target.most),
    make('td', {}, target.limited, target.next ? make('span', { class: 'faint' }, '; ' + briefly(target)) : ''),
  ];
  // On a narrow screen the place is below the name, and its column is hidden.
  return make('tr', { 'data-at': at }, make('td', { class: 'name' }, link, kernel.complete ? '' : ' (incomplete)',
    make('span', { class: 'place faint' }, broken(kernel.path + ':' + kernel.line))),
    make('td', { class: 'where' }, broken(kernel.path + ':' + kernel.line)),
    make('td', { class: 'target' }, target.name), make('td', { title: kernel.codes.join('\n') }, badges(kernel.counts)), cells);
};

// Rows into a body, a chunk at a time.
const rest = make('p', { class: 'faint' });
let watcher = null;
const pour = (body, items, draw) => {
  let next = 0;
  const more = () => {
    body.append(...items.slice(next, next + CHUNK).map(draw));
    next += CHUNK;
    rest.textContent = next < items.length ? count(items.length - next, 'more row') + ' below' : '';
  };
  body.replaceChildren();
  more();
  if (watcher) watcher.disconnect();
  watcher = new IntersectionObserver(seen => {
    if (seen.some(each => each.isIntersecting) && next < items.length) {
      more();
      watcher.unobserve(rest);
      watcher.observe(rest);
    }
  }, { rootMargin: '600px' });
  watcher.observe(rest);
};

const headOf = refresh => make('tr', {}, columns.map(column => {
  const sorted = state.sort === column.key;
  const up = Boolean(column.up) === state.down;
  const sort = () => {
    state.down = sorted ? !state.down : true;
    state.sort = column.key;
    refresh(column.key);
  };
  return make('th', { class: column.number ? 'n' : column.key, 'aria-sort': sorted ? (up ? 'ascending' : 'descending') : 'none' },
    make('button', { type: 'button', 'data-key': column.key, click: sort },
      column.text, sorted ? (up ? ' \u25b2' : ' \u25bc') : ''));
}));

// A box that says what to look for, and calls who shows it, at once for the first time.
const searchBox = (hint, refresh) => {
  const box = make('input', { type: 'search', id: 'search', value: state.filter, autocomplete: 'off',
    spellcheck: 'false', 'aria-label': 'search', placeholder: hint });
  box.addEventListener('input', () => { state.filter = box.value; refresh(); });
  refresh();
  return box;
};

const overview = () => {
  const body = make('tbody'), head = make('thead'), shown = make('span', { class: 'faint', 'aria-live': 'polite' });
  const refresh = focus => {
    const rows = chosenRows();
    state.order = [...new Set(rows.map(row => row.at))];
    head.replaceChildren(headOf(refresh));
    if (typeof focus === 'string') head.querySelector('[data-key="' + focus + '"]').focus();
    shown.textContent = rows.length === allRows.length ? count(rows.length, 'row')
      : rows.length.toLocaleString('en') + ' of ' + count(allRows.length, 'row');
    pour(body, rows, rowOf);
  };
  const search = searchBox('name, path or rule; registers>96 waves<4 scratch>0', refresh);
  const worst = make('button', { type: 'button', click: () => { state.sort = 'worst'; state.down = true; refresh(); } },
    'worst first');
  const choices = [['', 'all targets'], ...targetNames.map(name => [name, name])];
  const bar = make('div', { class: 'tools' }, search, worst,
    targetNames.length > 1 ? toggle(choices, state.target, name => { state.target = name; show(); }, 'target') : '',
    shown);
  return [bar, legend(), make('div', { class: 'wide' }, make('table', { class: state.target || targetNames.length === 1 ? 'kernels one' : 'kernels' }, head, body)), rest,
    index.marks.map(mark => make('p', { class: 'faint' }, mark))];
};

const findingsList = found => {
  const list = make('div'), shown = make('span', { class: 'faint', 'aria-live': 'polite' });
  const texts = found.map(each => [each.code, each.name, each.severity, each.path, each.message, ...each.targets,
    each.kernel === null ? '' : kernels[each.kernel].name].join(' ').toLowerCase());
  const search = searchBox('rule, severity, name or path', () => {
    const words = state.filter.toLowerCase().split(/\s+/);
    const chosen = found.filter((_, i) => words.every(word => texts[i].includes(word)));
    shown.textContent = chosen.length === found.length ? '' : chosen.length + ' of ' + count(found.length, 'finding');
    pour(list, chosen, finding => findingOf(finding, true));
  });
  return found.length ? [make('div', { class: 'tools' }, search, shown), list, rest] : make('p', {}, 'No findings.');
};
const findingOf = (finding, linked) => {
  const where = finding.path + ':' + finding.line;
  const kernel = finding.kernel === null ? null : kernels[finding.kernel];
  const place = linked && kernel ? make('a', { href: '#k' + finding.kernel }, kernel.name)
    : kernel ? kernel.name : '';
  return make('article', { class: 'finding ' + finding.severity },
    make('h4', {}, make('span', { class: 'badge ' + finding.severity }, finding.severity), ' ',
      make('a', { href: finding.url.startsWith('https://') ? finding.url : false, rel: 'noreferrer' },
        finding.code + ' ' + finding.name), ' ',
      make('span', { class: 'faint' }, where, place ? ', ' : '', place,
        finding.targets.length ? ', ' + finding.targets.join(', ') : '')),
    make('p', {}, spoken(finding.message)),
    finding.diff.length ? '' : make('pre', {}, finding.text),
    finding.help ? make('p', {}, make('b', {}, 'Help: '), spoken(finding.help)) : '',
    finding.related.map(([path, line, message]) =>
      make('p', { class: 'faint' }, path + ':' + line + ': ', spoken(message))),
    finding.fix ? make('p', {}, make('b', {}, 'Fix'), ' (' + finding.fix[1] + '): ', spoken(finding.fix[0])) : '',
    finding.diff.length ? make('pre', { class: 'diff' }, finding.diff.map(line => make('span', {
      class: line[0] === '+' ? 'added' : line[0] === '-' ? 'removed' : line[0] === '@' ? 'faint' : '' }, line + '\n')))
      : '');
};
