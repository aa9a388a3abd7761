// What all parts of the page share: the index, elements, places. All text goes through textContent: none is markup.
const app = document.getElementById('app');
if (typeof DecompressionStream === 'undefined') {
  app.textContent = 'This page needs a browser of 2023 or later (DecompressionStream).';
  return;
}
// Data: a zlib stream as base64, unpacked when it is first shown.
const known = new Map();
const unpacked = name => {
  if (!known.has(name)) known.set(name, unpack(document.getElementById(name).textContent));
  return known.get(name);
};
const unpack = async text => {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
};
const dataOf = async file => {
  const pack = index.packs.findIndex(files => files.includes(file));
  return (await unpacked('pack-' + pack))[index.packs[pack].indexOf(file)];
};

const index = await unpacked('index');
const kernels = index.kernels;
const state = { order: [], filter: '', target: '', sort: 'worst', down: true, tab: 'kernels' };

// An element: make('a', {href: '#', class: 'x'}, 'text', child, ...); functions among the properties are listeners.
const make = (tag, properties, ...children) => {
  const node = document.createElement(tag);
  fill(node, properties, children);
  return node;
};
const drawn = (tag, properties, ...children) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(node, properties, children);
  return node;
};
const fill = (node, properties, children) => {
  for (const [name, value] of Object.entries(properties || {})) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== ''));
};

// A path that may be broken behind its slashes.
const broken = path => path.split('/').flatMap((part, i) => i ? ['/', make('wbr'), part] : [part]);
const count = (n, noun) => n.toLocaleString('en') + ' ' + noun + (n === 1 ? '' : 's');
const short = number => String(Math.round(number * 100) / 100);
const severities = ['error', 'warning', 'info', 'hint'];
const toneOf = (registers, tones) => tones ? tones.filter(limit => registers > limit).length : 0;
// A sentence whose names in backticks are set as code.
const spoken = sentence => sentence.split('`').map((part, i) => i % 2 ? make('code', {}, part) : part);

// Which kernel of its file a kernel is.
const placeInFile = [];
kernels.forEach((kernel, i) => {
  placeInFile.push(i && kernels[i - 1].file === kernel.file ? placeInFile[i - 1] + 1 : 0);
});
const targetNames = Object.keys(index.targets);
const several = kernels.some(kernel => kernel.targets.length > 1);
state.target = several ? targetNames[0] : '';

const badges = counts => severities.map((name, i) => counts[i]
  ? make('span', { class: 'badge ' + name, title: count(counts[i], name) }, String(counts[i])) : null);
const legend = () => make('p', { class: 'legend' }, 'Registers: ', index.tones.map((name, i) =>
  make('span', { class: 'key' }, make('i', { class: 'tone' + i }), name)));
const toggle = (options, chosen, choose, label) => make('div', { class: 'toggle', role: 'group', 'aria-label': label },
  options.map(([value, text]) => make('button', {
    type: 'button', 'aria-pressed': String(value === chosen), click: () => choose(value) }, text)));
