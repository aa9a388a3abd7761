// Waves over registers: the staircase of a kernel's target, the band, the estimate and the budget on it.
const WIDTH = 640, HEIGHT = 200, LEFT = 46, RIGHT = 14, TOP = 30, BOTTOM = 36;
const LETTER = 6.6; // of a label, in units of the drawing

const curve = (section, target, kernel) => {
  const steps = section.steps, words = index.targets[target.name];
  if (!steps.length) return '';
  const [low, estimate, high] = target.registers;
  const end = Math.max(steps[steps.length - 1][0], high, target.budget);
  const tall = target.most;
  const x = registers => LEFT + registers / end * (WIDTH - LEFT - RIGHT);
  const y = waves => HEIGHT - BOTTOM - waves / tall * (HEIGHT - TOP - BOTTOM);
  let path = 'M' + x(0) + ' ' + y(steps[0][1]);
  steps.forEach(([most, waves], i) => {
    path += 'H' + x(most) + (i + 1 < steps.length ? 'V' + y(steps[i + 1][1]) : 'V' + y(0));
  });
  const parts = [
    drawn('rect', { x: x(low), y: TOP, width: Math.max(x(high) - x(low), 1.5), height: HEIGHT - TOP - BOTTOM,
      class: 'band' }),
    drawn('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: y(0), y2: y(0), class: 'axis' }),
    drawn('path', { d: path, class: 'stairs' }),
  ];
  const label = (at, height, text, name) => {
    const half = text.length * LETTER / 2;
    return drawn('text', { x: Math.min(Math.max(at, LEFT + half), WIDTH - half - 2), y: height, class: name }, text);
  };
  // Numbers of steps, those around the estimate first; what would stand on another is left out.
  const near = steps.map((step, i) => [Math.abs(step[0] - estimate), i]).sort((a, b) => a[0] - b[0]).map(([, i]) => i);
  const taken = [], heights = [];
  near.forEach(i => {
    const [most, waves, text] = steps[i], at = x(most), half = String(most).length * LETTER / 2 + 3;
    const from = Math.min(Math.max(at, LEFT + half), WIDTH - half) - half;
    if (taken.every(([a, b]) => from + 2 * half <= a || from >= b)) {
      taken.push([from, from + 2 * half]);
      parts.push(label(at, HEIGHT - BOTTOM + 13, String(most), 'tick'));
      parts.push(drawn('line', { x1: at, x2: at, y1: y(waves), y2: y(0), class: 'drop' }));
    }
    if (heights.every(other => Math.abs(other - y(waves)) >= 12)) {
      heights.push(y(waves));
      parts.push(drawn('text', { x: LEFT - 5, y: y(waves) + 4, class: 'tick end' }, text));
    }
  });
  if (target.budget < end) parts.push(
    drawn('line', { x1: x(target.budget), x2: x(target.budget), y1: TOP, y2: y(0), class: 'budget' }));
  parts.push(drawn('line', { x1: x(estimate), x2: x(estimate), y1: 18, y2: y(0), class: 'estimate' }));
  const given = Math.min(estimate, target.budget); // what is beyond the budget is spilled
  parts.push(drawn('circle', { cx: x(given), cy: y(target.waves), r: 4.5, class: 'dot' }));
  const told = 'this kernel: ' + estimate + ' registers' + (given < estimate ? ', given ' + given : '') + ', ' +
    short(target.waves) + ' ' + words.waves;
  parts.push(label(x(estimate), 14, told, 'tick strong'));
  parts.push(drawn('text', { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, class: 'tick' }, 'registers a thread'));
  const title = words.per_simd + ' over registers a thread: ' + steps.map(step =>
    step[2] + ' up to ' + step[0]).join(', ') + '; ' + told + ', band ' + low + ' to ' + high;
  const assumed = kernel.block_from === 'assumed' ? ' (assumed)' : '';
  return make('figure', {}, drawn('svg', { viewBox: '0 0 ' + WIDTH + ' ' + HEIGHT, role: 'img', 'aria-label': title },
    drawn('title', {}, title), parts), make('figcaption', {}, words.per_simd + ' with blocks of ' + kernel.block +
    assumed + '; shaded: the band ' + low + ' to ' + high +
    (target.budget < end ? '; dashed: the budget of ' + target.budget : '')));
};

// A kernel at other values: waves with what the band leaves open, drawn point by point, and the numbers below.
const sweepView = (sweep, target) => {
  const words = index.targets[target.name];
  const points = sweep.points.map(point => ({ ...point, now: point.targets[target.name] }));
  const known = points.map((point, i) => [point.now, i]).filter(([now]) => now && !now.unserved);
  const x = i => LEFT + (i + .5) / points.length * (WIDTH - LEFT - RIGHT);
  const y = waves => HEIGHT - BOTTOM - waves / target.most * (HEIGHT - TOP - BOTTOM);
  const names = points.map(point => point.values.join(' '));
  const apart = Math.ceil((Math.max(...names.map(name => name.length)) + 1) * LETTER / (x(1) - x(0)));
  const parts = [drawn('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: y(0), y2: y(0), class: 'axis' })];
  const heights = new Set([0, ...known.map(([now]) => now.waves)]);
  heights.forEach(waves => parts.push(drawn('text', { x: LEFT - 5, y: y(waves) + 4, class: 'tick end' }, short(waves))));
  known.forEach(([now, i]) => {
    const [few, most] = now.open;
    parts.push(drawn('rect', { x: x(i) - 6, y: y(most) - 1, width: 12, height: y(few) - y(most) + 2, class: 'band' }));
  });
  parts.push(drawn('path', { class: 'stairs', d: known.map(([now, i], at) =>
    (at ? 'L' : 'M') + x(i) + ' ' + y(now.waves)).join('') }));
  known.forEach(([now, i]) => parts.push(drawn('circle', { cx: x(i), cy: y(now.waves), r: 4.5,
    class: now.scratch ? 'dot spilled' : 'dot' })));
  names.forEach((name, i) => i % apart === 0 &&
    parts.push(drawn('text', { x: x(i), y: HEIGHT - BOTTOM + 15, class: 'tick' }, name)));
  parts.push(drawn('text', { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, class: 'tick' }, sweep.axes.join(' ')));
  const title = words.per_simd + ' over ' + sweep.axes.join(' and ') + ': ' + known.map(([now, i]) =>
    short(now.waves) + ' at ' + names[i]).join(', ');
  const figure = make('figure', { class: 'sweep' }, drawn('svg', { viewBox: '0 0 ' + WIDTH + ' ' + HEIGHT, role: 'img',
    'aria-label': title }, drawn('title', {}, title), parts), make('figcaption', {}, words.per_simd +
    '; shaded: over the band; red: with scratch'));
  const cell = text => make('td', { class: 'n' }, text);
  const row = ({ values, reason, now }) => make('tr', {}, values.map(cell), now && !now.unserved ? [
    cell(String(now.registers[1])), cell(now.registers[0] + '\u2013' + now.registers[2]), cell(String(now.budget)),
    cell(String(now.scratch)), cell(short(now.waves) + (now.open[0] === now.open[1] ? '' :
      ' (' + now.open.map(short).join('\u2013') + ')')), make('td', {}, now.best ? 'best of these' : ''),
  ] : make('td', { colspan: 6 }, spoken(now ? now.unserved : reason)));
  const head = [...sweep.axes, 'registers', 'band', 'budget', 'scratch', words.per_simd].map(text =>
    make('th', { class: 'n' }, text));
  return make('div', { class: 'pair' }, make('table', {}, make('thead', {}, make('tr', {}, head, make('th'))),
    make('tbody', {}, points.map(row))), figure);
};
