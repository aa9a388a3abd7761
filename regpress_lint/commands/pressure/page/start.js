// Where the reader is: the part of the address behind # names a kernel, a target and a line (#k12/sm_90/L40).
const placeOf = hash => {
  const [first, target, line] = decodeURIComponent(hash.slice(1)).split('/');
  const found = /^k(\d+)$/.exec(first);
  if (!found || !kernels[found[1]]) return null;
  return { at: Number(found[1]), target: target || '', line: /^L\d+$/.test(line) ? Number(line.slice(1)) : null };
};
const go = (at, target) => { location.hash = '#k' + at + (target ? '/' + target : ''); };

const header = () => make('header', { class: 'top' }, make('h1', {}, index.title), make('p', {}, index.summary),
  make('p', { class: 'faint keys' }, make('kbd', {}, '/'), ' search ', make('kbd', {}, 'j'), ' ', make('kbd', {}, 'k'),
    ' next, previous ', make('kbd', {}, 'Enter'), ' open ', make('kbd', {}, 'Esc'), ' back ', make('kbd', {}, 't'),
    ' target'));
const tabs = () => toggle([['kernels', count(kernels.length, 'kernel')], ['findings', count(index.findings, 'finding')]],
  state.tab, tab => { state.tab = tab; state.filter = ''; show(); }, 'view');

let shownAt = 0, scrolled = 0;
const show = async () => {
  const place = placeOf(location.hash) || (kernels.length === 1 ? { at: 0, target: '', line: null } : null);
  const turn = ++shownAt;
  if (!place) {
    const listed = state.tab === 'findings' ? findingsList(await unpacked('findings')) : overview();
    if (turn !== shownAt) return;
    app.replaceChildren(header(), tabs(), make('main', {}, listed));
    scrollTo(0, scrolled);
    return;
  }
  if (!state.order.length) state.order = [...new Set(chosenRows().map(row => row.at))];
  const data = await dataOf(kernels[place.at].file), found = await unpacked('findings');
  if (turn !== shownAt) return;
  app.replaceChildren(header(), make('main', {}, kernelView(place.at, data, found, place)));
};

// The row of the table that the keys are at.
const current = () => document.activeElement && document.activeElement.closest('tr[data-at]');
const move = by => {
  const rows = [...app.querySelectorAll('tr[data-at]')];
  const next = rows[Math.min(Math.max(rows.indexOf(current()) + by, 0), rows.length - 1)];
  if (next) next.querySelector('a').focus();
};
const neighbour = (place, by) => {
  const at = state.order[state.order.indexOf(place.at) + by];
  if (at !== undefined) go(at, place.target);
};
const otherTarget = place => {
  const names = place ? kernels[place.at].targets.map(each => each.name) : ['', ...targetNames];
  const shown = place ? (app.querySelector('.toggle [aria-pressed=true]') || {}).textContent : state.target;
  const next = names[(names.indexOf(shown) + 1) % names.length];
  if (place) return names.length > 1 ? go(place.at, next) : undefined;
  state.target = next;
  show();
};
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches && event.target.matches('input');
  const place = placeOf(location.hash), search = document.getElementById('search');
  if (event.key === 'Escape') {
    if (typing) return event.target.blur();
    if (place && kernels.length > 1) location.hash = '';
    return;
  }
  if (typing) return;
  const action = {
    '/': () => search && search.focus(),
    j: () => place ? neighbour(place, 1) : move(1),
    k: () => place ? neighbour(place, -1) : move(-1),
    t: () => otherTarget(place),
  }[event.key];
  if (action) { event.preventDefault(); action(); }
});
addEventListener('click', () => { if (!placeOf(location.hash)) scrolled = scrollY; }, true);
addEventListener('hashchange', () => { show(); if (placeOf(location.hash) && !/\/L\d+$/.test(location.hash)) scrollTo(0, 0); });
await show();
app.dataset.drawn = Math.round(performance.now()); // milliseconds from the start of loading, for who measures it
