// Draws the packages and their rooms from rooms.json. A room is above all rooms that it may import, so every arrow
// points down. The picture is readable on light and dark pages. Pure.

interface PackageRooms {
  readonly name: string;
  readonly rooms?: Readonly<Record<string, readonly string[]>>;
}

interface Rooms {
  readonly packages: Readonly<Record<string, PackageRooms>>;
}

/** Entrances only re-export rooms below them, so the picture omits them. */
const ENTRANCES = new Set([
  ...['index', 'adapters', 'configuration', 'decisions', 'known-tools', 'connector-lists', 'relay'],
  ...['processes', 'recorded', 'shared-servers', 'main', 'start', 'compiled-code', 'command-flags'],
  ...['exit-codes', 'usage-error', 'terminal-input', 'given', 'console-parts', 'console-client'],
]);

const WORDS: Readonly<Record<string, string>> = {
  base: 'results, errors, clocks and the like; every package imports it',
  'static-model': 'vectors of texts, for both searches',
  'code-mode': 'the sandbox for scripts of a model',
  host: 'the library that a program embeds',
  gateway: 'all servers as one server',
  console: 'the page in a browser',
  codebase: 'the code-search server',
  agent: 'models, the loop, transcripts',
  cli: 'the command, and the chat in the terminal; imports host, too',
};

const WIDTH = 1000;
const GAP = 24;
/** The space between two levels, for an arrow. */
const DROP = 34;
const PADDING = 16;
const HEAD = 50;
const ROOM = { height: 26, gap: 10, letter: 7.6, padding: 20, rise: 13 } as const;
/** The codebase is beside the host, since they connect only over MCP. */
const CODEBASE = 250;
const GATEWAY = 330;
/** Narrower than the gateway, since both the console and the command are above it. */
const CONSOLE = 230;

interface Box {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly drawn: readonly string[];
}

export function architecturePicture({ packages }: Rooms): string {
  const wide = WIDTH - 2 * GAP;
  const right = WIDTH - GAP;
  const at = (key: string, spot: Spot): Box => packageBox(key, packages[key], spot);
  const below = (box: Box): number => box.y + box.height + DROP;
  const console = at('console', { x: right - CONSOLE, y: GAP, width: CONSOLE });
  const cli = at('cli', { x: GAP, y: GAP, width: wide - CONSOLE - GAP, bottom: bottomOf(console) });
  const second = GAP + CODEBASE + GAP;
  const gateway = at('gateway', { x: right - GATEWAY, y: below(cli), width: GATEWAY });
  const agent = at('agent', {
    ...{ x: second, y: below(cli), width: right - GATEWAY - GAP - second },
    bottom: bottomOf(gateway),
  });
  const host = at('host', { x: second, y: below(agent), width: right - second });
  const aside = { x: GAP, y: below(cli), width: CODEBASE };
  const codebase = at('codebase', { ...aside, bottom: bottomOf(host) });
  const half = (wide - GAP) / 2;
  const model = at('static-model', { x: GAP, y: below(host), width: half });
  const sandbox = at('code-mode', { x: GAP + half + GAP, y: below(host), width: half });
  const base = at('base', { x: GAP, y: below(model), width: wide });
  const arrows = [
    ...[arrow(cli, codebase), arrow(cli, agent), arrow(cli, gateway), arrow(console, gateway)],
    ...[arrow(agent, host), arrow(gateway, host), arrow(codebase, model), arrow(host, model)],
    ...[arrow(host, sandbox), arrow(model, base), arrow(sandbox, base)],
  ];
  const boxes = [cli, console, codebase, agent, gateway, host, model, sandbox, base];
  return pageOf([...boxes.flatMap(frameOf), ...arrows.flat()], bottomOf(base) + GAP);
}

function bottomOf({ y, height }: Box): number {
  return y + height;
}

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** The bottom edge; its rooms are spread to reach it. By default, the box is as high as needed. */
  readonly bottom?: number;
}

function packageBox(key: string, found: PackageRooms | undefined, spot: Spot): Box {
  const levels = levelsOf(found?.rooms ?? {});
  if (spot.bottom !== undefined) {
    const { bottom, ...free } = spot;
    const missing = Math.max(0, bottom - spot.y - packageBox(key, found, free).height);
    const more = missing / Math.max(1, levels.length - 1);
    return stacked(key, found, { ...free, rise: ROOM.rise + more });
  }
  return stacked(key, found, { ...spot, rise: ROOM.rise });
}

function stacked(
  key: string,
  found: PackageRooms | undefined,
  spot: Spot & { readonly rise: number },
): Box {
  const levels = levelsOf(found?.rooms ?? {});
  const drawn: string[] = [];
  let y = spot.y + HEAD + (levels.length > 0 ? 10 : 0);
  for (const level of levels) {
    for (const line of linesOf(level, spot.width - 2 * PADDING)) {
      drawn.push(...roomsAt(line, spot, round(y)));
      y += ROOM.height + ROOM.gap;
    }
    y += spot.rise - ROOM.gap;
  }
  const end = levels.length > 0 ? y - spot.rise + PADDING : y + 6;
  return {
    key,
    x: spot.x,
    y: spot.y,
    width: spot.width,
    height: end - spot.y,
    drawn: [...headOf(key, found?.name ?? key, spot), ...drawn],
  };
}

/** The highest level first; rooms within a level do not import each other. */
function levelsOf(
  rooms: Readonly<Record<string, readonly string[]>>,
): readonly (readonly string[])[] {
  const names = Object.keys(rooms).filter((name) => !ENTRANCES.has(name));
  const depth = new Map<string, number>();
  const depthOf = (name: string): number => {
    const known = depth.get(name);
    if (known !== undefined) return known;
    const below = (rooms[name] ?? []).filter((one) => !ENTRANCES.has(one));
    const found = below.length === 0 ? 0 : 1 + Math.max(...below.map(depthOf));
    depth.set(name, found);
    return found;
  };
  const highest = Math.max(-1, ...names.map(depthOf));
  return Array.from({ length: highest + 1 }, (_, at) =>
    names.filter((name) => depth.get(name) === highest - at),
  );
}

/** Splits a level into lines that fit the width. */
function linesOf(level: readonly string[], width: number): readonly (readonly string[])[] {
  const lines: string[][] = [[]];
  let used = 0;
  for (const room of level) {
    const next = roomWidth(room) + ROOM.gap;
    if (used + next > width + ROOM.gap) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1)?.push(room);
    used += next;
  }
  return lines;
}

function roomsAt(line: readonly string[], spot: Spot, y: number): readonly string[] {
  const taken = line.reduce((sum, room) => sum + roomWidth(room) + ROOM.gap, -ROOM.gap);
  let x = spot.x + (spot.width - taken) / 2;
  return line.flatMap((room) => {
    const width = roomWidth(room);
    const middle = round(x + width / 2);
    const at = round(x);
    x += width + ROOM.gap;
    return [
      `<rect class="room" x="${at}" y="${y}" width="${round(width)}" height="${ROOM.height}" rx="6"/>`,
      `<text class="name" x="${middle}" y="${y + 17.5}" text-anchor="middle">${room}</text>`,
    ];
  });
}

function headOf(key: string, name: string, { x, y }: Spot): readonly string[] {
  return [
    `<text class="package" x="${x + PADDING}" y="${y + 24}">${name}</text>`,
    `<text class="words" x="${x + PADDING}" y="${y + 42}">${WORDS[key] ?? ''}</text>`,
  ];
}

function frameOf(box: Box): readonly string[] {
  const { x, y, width, height } = box;
  return [
    `<rect class="frame" x="${round(x)}" y="${y}" width="${round(width)}" height="${round(height)}" rx="12"/>`,
    ...box.drawn,
  ];
}

function arrow(from: Box, to: Box): readonly string[] {
  const left = Math.max(from.x, to.x);
  const right = Math.min(from.x + from.width, to.x + to.width);
  const middle = round((left + right) / 2);
  const [top, bottom] = [round(from.y + from.height), round(to.y)];
  return [
    `<path class="arrow" d="M${middle} ${top + 4}V${bottom - 10}"/>`,
    `<path class="tip" d="M${middle - 6} ${bottom - 11}h12l-6 9z"/>`,
  ];
}

const STYLE = `
.frame { fill: #8b5cf614; stroke: #8b5cf6; stroke-width: 1.5 }
.room { fill: #0ea5e91f; stroke: #0ea5e9 }
.arrow { stroke: #8b949e; stroke-width: 2; fill: none }
.tip { fill: #8b949e }
text { font-family: ui-sans-serif, system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2328 }
.package { font-size: 16px; font-weight: 650 }
.words { font-size: 12.5px; fill: #59636e }
.name { font-size: 13px; font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .words { fill: #9198a1 } }
`;

function pageOf(parts: readonly string[], height: number): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Packages and rooms; imports point down">`,
    `<style>${STYLE}</style>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function roomWidth(room: string): number {
  return room.length * ROOM.letter + ROOM.padding;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
