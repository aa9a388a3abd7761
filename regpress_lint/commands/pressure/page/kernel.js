// One kernel: what `pressure` says, the curve, its findings, and the source with live registers beside every line.
const WORDS = new RegExp('(?<c>//.*|/\\*.*?(?:\\*/|$))|(?<s>"(?:\\\\.|[^"\\\\])*"?|\'(?:\\\\.|[^\'\\\\])*\'?)|' +
  '(?<k>^\\s*#\\s*\\w+|\\b(?:if|else|for|while|do|switch|case|default|break|continue|return|goto|const|constexpr|' +
  'static|inline|template|typename|struct|class|auto|void|bool|char|short|int|long|float|double|unsigned|signed|' +
  'size_t|volatile|__\\w+__|__restrict|true|false|nullptr|using|namespace|typedef|sizeof)\\b)', 'g');

// Lines as pieces of code, with comments, strings and words marked; block comments go on from line to line.
const highlighted = lines => {
  let inside = false;
  return lines.map(line => {
    const pieces = [];
    let from = 0;
    if (inside) {
      const end = line.indexOf('*/');
      inside = end < 0;
      from = inside ? line.length : end + 2;
      pieces.push(make('span', { class: 'c' }, line.slice(0, from)));
    }
    const tail = line.slice(from);
    let last = 0;
    for (const found of tail.matchAll(WORDS)) {
      pieces.push(tail.slice(last, found.index));
      const name = Object.keys(found.groups).find(each => found.groups[each] !== undefined);
      pieces.push(make('span', { class: name }, found[0]));
      last = found.index + found[0].length;
      inside = found[0].startsWith('/*') && !found[0].endsWith('*/');
    }
    pieces.push(tail.slice(last));
    return pieces;
  });
};
const linesOf = (runs, first, number) => {
  const run = runs.find(([start, lines]) => start <= first && first < start + lines.length);
  return run ? run[1].slice(first - run[0], first - run[0] + number) : [];
};

// Value number i of a kernel, out of its columns.
const valueOf = (values, i) => {
  const defined = values.defined[i], used = defined + values.used[i];
  return { name: values.name[i], type: values.type[0][values.type[1][i]], kind: values.kind[0][values.kind[1][i]],
    defined, used, lines: values.lines[i] || [defined, used], scalar: values.scalar.includes(i),
    guessed: values.guessed.includes(i), always: values.always[i] || '', notes: values.notes[i] || [] };
};

const kernelView = (at, data, found, wanted) => {
  const kernel = kernels[at], detail = data.kernels[placeInFile[at]];
  const names = detail.sections.map(section => section.target);
  const name = names.includes(wanted.target) ? wanted.target : names.includes(state.target) ? state.target : names[0];
  const section = detail.sections.find(each => each.target === name);
  const target = kernel.targets.find(each => each.name === name);
  const own = found.filter(each => each.kernel === at);
  const others = found.filter(each => each.kernel === null && each.path === kernel.path);
  const place = state.order.indexOf(at);
  const step = (by, text) => {
    const other = state.order[place + by];
    return place < 0 || other === undefined ? '' : make('a', { href: '#k' + other, class: 'step' }, text);
  };
  const parts = [
    make('div', { class: 'tools' }, kernels.length > 1 ? make('a', { href: '#' }, '\u2190 all kernels') : '',
      step(-1, 'previous'), step(1, 'next'),
      names.length > 1 ? toggle(names.map(each => [each, each]), name, each => go(at, each), 'target') : ''),
    make('h2', {}, kernel.name, ' ', make('span', { class: 'faint' }, kernel.path + ':' + kernel.line +
      (section ? ', ' + name + ' (' + index.targets[name].title + ')' : ''))),
  ];
  if (!section) return [...parts, make('p', {}, 'Its live registers could not be worked out.'),
    own.map(each => findingOf(each))];
  const facts = make('dl', {}, section.facts.map(([label, sentence]) =>
    [make('dt', {}, label), make('dd', {}, spoken(sentence))]));
  if (target.unserved) facts.append(make('dt', {}, 'target'),
    make('dd', {}, spoken(target.unserved)));
  const launches = kernel.launches.map(([path, line, block, lds]) => make('li', {}, path + ':' + line + ': ' +
    (block === null ? 'block size not in view' : 'blocks of ' + block) + (lds ? ', ' + lds + ' bytes of ' +
    index.targets[name].lds + ' at the launch' : '')));
  if (launches.length) facts.append(make('dt', {}, 'launches'), make('dd', {}, make('ul', {}, launches)));
  parts.push(make('div', { class: 'pair' }, facts, curve(section, target, kernel)));
  const advice = detail.advice.filter(([each]) => each === name);
  if (advice.length) parts.push(make('h3', {}, 'What to change'),
    make('ul', { class: 'advice' }, advice.map(([, text]) => make('li', {}, spoken(text)))));
  if (detail.sweep) parts.push(make('h3', {}, 'At other values'), sweepView(detail.sweep, target));
  if (own.length) parts.push(make('h3', {}, count(own.length, 'finding')), own.map(each => findingOf(each)));
  parts.push(make('h3', {}, 'Live registers, line by line'), make('p', { class: 'caveat faint' }, index.caveat),
    legend(), sourceView(at, section, target, detail.values, data.sources[section.path], wanted.line));
  if (others.length) parts.push(make('h3', {}, 'Elsewhere in this file'), others.map(each => findingOf(each)));
  return parts;
};

const sourceView = (at, section, target, columns, runs, wantedLine) => {
  const words = index.targets[target.name], total = section.live.map((live, i) => live + section.extra[i]);
  const scalars = section.scalar.length > 0, still = new Set(section.still);
  const code = highlighted(linesOf(runs, section.first, section.live.length));
  const panel = make('div', { id: 'panel', 'aria-live': 'polite' });
  const share = registers => (100 * registers / section.top).toFixed(2) + '%';
  const row = i => {
    const line = section.first + i, tone = 'tone' + toneOf(total[i], target.tones);
    const bar = make('span', { class: 'bar ' + tone }, make('i'), make('b'));
    bar.firstChild.style.width = share(section.live[i]);
    bar.lastChild.style.width = share(section.extra[i]);
    const classes = ['row', still.has(i) ? 'still' : '', line === section.peak ? 'peak' : ''];
    return make('div', { class: classes.filter(Boolean).join(' '), id: 'L' + line, 'data-i': i, tabindex: '-1',
      'aria-label': 'line ' + line + ': ' + count(total[i], 'register') },
      make('span', { class: 'gutter' }, make('span', { class: 'no' }, String(line)),
        make('span', { class: 'amount' }, still.has(i) || !total[i] ? '' : String(total[i])),
        scalars ? make('span', { class: 'amount faint' },
          still.has(i) || !section.scalar[i] ? '' : String(section.scalar[i])) : '', bar),
      make('code', {}, code[i] || '', section.asides[i] ? make('em', {}, section.asides[i]) : ''));
  };
  const rows = section.live.map((_, i) => row(i));
  const box = make('div', { class: 'rows' + (scalars ? '' : ' plain'), tabindex: '0', role: 'group',
    'aria-label': 'source' }, ruler(section, words, scalars), rows);
  box.style.setProperty('--ticks', section.steps.filter(step => step[0] < section.top).map(step => {
    const place = share(step[0]);
    return 'linear-gradient(90deg,transparent calc(' + place + ' - 1px),var(--tick) calc(' + place +
      ' - 1px),var(--tick) ' + place + ',transparent ' + place + ')';
  }).join(',') || 'none');

  // What is live on a line: all changes up to it.
  const liveAt = i => {
    const held = new Map();
    section.changes.slice(0, i + 1).forEach(line => {
      for (let k = 0; k < line.length; k += 3)
        line[k + 1] ? held.set(line[k], [line[k + 1], line[k + 2]]) : held.delete(line[k]);
    });
    return [...held].map(([value, [registers, copies]]) => ({ ...valueOf(columns, value), registers, copies, value }))
      .sort((a, b) => b.registers - a.registers || a.value - b.value);
  };
  const unmark = () => box.querySelectorAll('.touch').forEach(node => node.classList.remove('touch'));
  const jump = line => make('a', { href: '#k' + at + '/' + section.target + '/L' + line }, String(line));
  const entry = (value, line) => {
    const note = value.notes.find(([, first, last]) => first <= line && line <= last);
    const said = [value.copies > 1 ? value.copies + ' values' : '', value.always, note ? note[0] : ''];
    const mark = () => {
      unmark();
      value.lines.forEach(each => rows[each - section.first] && rows[each - section.first].classList.add('touch'));
    };
    return make('tr', { mouseenter: mark, mouseleave: unmark },
      make('td', {}, make('code', {}, value.name), ' ', make('span', { class: 'faint' }, value.type)),
      make('td', { class: 'n' }, value.registers + (value.guessed ? '?' : '')),
      make('td', { class: 'n' }, jump(value.defined)), make('td', { class: 'n' }, jump(value.used)),
      make('td', {}, value.kind, make('span', { class: 'faint' },
        said.filter(Boolean).map(text => [', ', spoken(text)]))));
  };
  const table = (values, line) => make('table', {}, make('thead', {}, make('tr', {}, [['value', ''], ['regs', 'n'],
    ['defined', 'n'], ['last used', 'n'], ['what it is', '']].map(([text, name]) => make('th', { class: name }, text)))),
  make('tbody', {}, values.map(value => entry(value, line))));
  let here = null, pinned = null;
  const tell = i => {
    const line = section.first + i, values = liveAt(i);
    const mine = values.filter(value => !value.scalar), shared = values.filter(value => value.scalar);
    here && here.classList.remove('here');
    (here = rows[i]).classList.add('here');
    const beyond = (section.beyond[i] || []).map(text => ['; ', spoken(text)]);
    panel.replaceChildren(make('h3', {}, 'line ' + line + ': ' + count(total[i], 'register')),
      make('p', {}, count(section.live[i], 'register') + ' of ' + count(mine.length, 'value'), beyond),
      ...(section.insides[i] || []).map(text => make('p', { class: 'faint' }, spoken(text))));
    if (still.has(i)) panel.append(make('p', { class: 'faint' },
      'No operation on this line: what the code around it carries past.'));
    if (mine.length) panel.append(table(mine, line));
    if (shared.length) panel.append(make('p', { class: 'faint' }, 'In SGPRs (' + section.scalar[i] + '):'),
      table(shared, line));
  };
  const pin = i => {
    if (pinned !== null) rows[pinned].classList.remove('pinned');
    pinned = i;
    if (i !== null) { rows[i].classList.add('pinned'); tell(i); }
  };
  const numberOf = event => {
    const row = event.target.closest ? event.target.closest('.row') : null;
    return row ? Number(row.dataset.i) : null;
  };
  box.addEventListener('mouseover', event => { const i = numberOf(event); if (i !== null && pinned === null) tell(i); });
  box.addEventListener('click', event => { const i = numberOf(event); if (i !== null) pin(i === pinned ? null : i); });
  box.addEventListener('keydown', event => {
    const now = here ? Number(here.dataset.i) : 0;
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === 'Enter') { event.preventDefault(); return pin(pinned === now ? null : now); }
    if (event.key === 'Escape' && pinned !== null) { event.stopPropagation(); return pin(null); }
    if (to === undefined || !rows[to]) return;
    event.preventDefault();
    if (pinned !== null) pin(to); else tell(to);
    rows[to].scrollIntoView({ block: 'nearest' });
  });
  const lineAt = line => line !== null && rows[line - section.first] ? line - section.first : null;
  const start = lineAt(wantedLine) ?? lineAt(section.peak) ?? 0;
  queueMicrotask(() => {
    if (!rows.length) return;
    if (lineAt(wantedLine) !== null) pin(start); else tell(start);
    box.scrollTop = rows[start].offsetTop - box.clientHeight / 2;
    if (lineAt(wantedLine) !== null) box.scrollIntoView({ block: 'nearest' });
  });
  return make('div', { class: 'page' }, box, make('aside', {}, panel, make('p', { class: 'faint' },
    'A click pins a line, ', make('kbd', {}, 'Esc'), ' lets it go; ', make('kbd', {}, '\u2191'), ' ',
    make('kbd', {}, '\u2193'), ' move. Point at a value to mark the lines that make and read it.')));
};

// The scale above the bars: registers at the steps, waves between them, where there is room.
const ruler = (section, words, scalars) => {
  const scale = make('span', { class: 'scale', title: words.per_simd + ' above, registers below' });
  const room = section.top / (innerWidth < 992 ? 2.5 : 7); // registers that a number needs
  let left = 0, before = 0;
  section.steps.filter(step => step[0] <= section.top).forEach(([most, , waves]) => {
    if (most - left >= room) {
      const below = make('b', {}, String(most)), above = make('i', {}, waves);
      below.style.left = (100 * most / section.top) + '%';
      above.style.left = (50 * (most + before) / section.top) + '%';
      scale.append(below, above);
      left = most;
    }
    before = most;
  });
  return make('div', { class: 'ruler' }, make('span', { class: 'gutter' }, make('span', { class: 'no' }, 'line'),
    make('span', { class: 'amount' }, 'live'), scalars ? make('span', { class: 'amount' }, 'SGPR') : '', scale));
};
