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
