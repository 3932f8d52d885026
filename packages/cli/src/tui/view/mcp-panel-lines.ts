// The table of all servers and their states; below it the details and actions of the selected one.

import { widthOf } from '../../print/width.ts';
import type { Notice, ServerAction, ServerRow } from '../../chat/index.ts';
import { clean, cleanLine } from './clean.ts';
import { keyHints } from './choice-lines.ts';
import { noticeLines } from './notice-lines.ts';
import { plural } from './sizes.ts';
import {
  type Canvas,
  cutSpans,
  indented,
  type Line,
  padLine,
  span,
  spread,
  wrapSpans,
} from './spans.ts';
import type { Role, Symbols } from './theme.ts';
import { windowAround, windowFrom } from './window.ts';

export interface PanelState {
  readonly selected: number;
  /** The maximum number of rows; unlimited by default. */
  readonly rows?: number | undefined;
  /** Problems of the configuration. */
  readonly problems?: readonly Notice[] | undefined;
  /** The outcome of the last action. */
  readonly notice?: Notice | undefined;
}

interface StateLook {
  readonly word: string;
  readonly role: Role;
  readonly symbol: keyof Symbols;
}

const STATE_LOOKS: Readonly<Record<ServerRow['state'], StateLook>> = {
  idle: { word: 'idle', role: 'dim', symbol: 'idle' },
  connecting: { word: 'connecting', role: 'accent', symbol: 'waiting' },
  ready: { word: 'ready', role: 'good', symbol: 'ready' },
  failed: { word: 'failed', role: 'bad', symbol: 'failed' },
  'needs-sign-in': { word: 'sign in', role: 'warning', symbol: 'key' },
  disabled: { word: 'disabled', role: 'dim', symbol: 'off' },
  blocked: { word: 'blocked', role: 'bad', symbol: 'blocked' },
};

/** The key and the word of each action. */
export const SERVER_ACTIONS: Readonly<
  Record<ServerAction, { readonly key: string; readonly word: string }>
> = {
  reconnect: { key: 'r', word: 'reconnect' },
  login: { key: 'l', word: 'sign in' },
  logout: { key: 'o', word: 'sign out' },
  enable: { key: 'e', word: 'enable' },
  disable: { key: 'd', word: 'disable' },
};

const STATE_WIDTH = 10;
const LEAST_DETAIL = 12;

export function mcpPanelLines(
  servers: readonly ServerRow[],
  state: PanelState,
  canvas: Canvas,
): readonly Line[] {
  const { width, theme } = canvas;
  const ready = servers.filter((server) => server.state === 'ready').length;
  const head = spread(
    [span('MCP servers', { isBold: true })],
    [span(`${ready} of ${servers.length} ready`, { role: 'dim' })],
    { columns: width, theme },
  );
  if (servers.length === 0) {
    return [head, [], ...emptyLines(canvas), ...problemLines(state.problems ?? [], canvas)];
  }
  const selected = Math.min(Math.max(0, state.selected), servers.length - 1);
  const at = servers[selected];
  const { rows = Number.POSITIVE_INFINITY, notice } = state;
  const details = [
    ...(at === undefined ? [] : [[], ...detailLines(at, Math.floor(rows / 4), canvas)]),
    ...(notice === undefined ? [] : [[], ...noticeLines(notice, canvas)]),
  ];
  const hints = keyHints(['arrows move', 'Enter opens', 'letters act', 'Esc closes'], canvas);
  const fixedRows =
    HEAD_ROWS + Math.min(servers.length, LEAST_LIST) + details.length + 1 + hints.length;
  const below = [
    ...details,
    ...fittingProblems(state.problems ?? [], rows - fixedRows, canvas),
    [],
    ...hints,
  ];
  const height = rows - HEAD_ROWS - below.length;
  return [head, [], ...panelRows(servers, { selected, height }, canvas), ...below];
}

const HEAD_ROWS = 2;
/** The selected server, one other, and how many more there are: the keys are for the list. */
const LEAST_LIST = 3;

/** The problems in words, or their number, or nothing, depending on the room. */
function fittingProblems(
  problems: readonly Notice[],
  room: number,
  canvas: Canvas,
): readonly Line[] {
  const { theme, width } = canvas;
  const all = problemLines(problems, canvas);
  if (all.length <= room) return all;
  const sign = span(`${theme.symbols.warning} `, { role: 'warning' });
  const words = span(`${plural(problems.length, 'problem')}: see plugboard list`);
  return room < 2 ? [] : [[], cutSpans([sign, words], width, theme)];
}

const MOST_PROBLEMS = 3;

function problemLines(problems: readonly Notice[], canvas: Canvas): readonly Line[] {
  const rest = problems.length - MOST_PROBLEMS;
  const more =
    rest > 0 ? [[span(`  and ${rest} more: plugboard list`, { role: 'dim' } as const)]] : [];
  return [
    ...problems.slice(0, MOST_PROBLEMS).flatMap((problem) => [[], ...noticeLines(problem, canvas)]),
    ...more,
  ];
}

function emptyLines(canvas: Canvas): readonly Line[] {
  const words = 'No servers yet. Add one with: plugboard add <name> <command or address>';
  return indented(wrapSpans([span(words, { role: 'dim' })], canvas.width - 2), span('  '));
}

function panelRows(
  servers: readonly ServerRow[],
  { selected, height }: { readonly selected: number; readonly height: number },
  canvas: Canvas,
): readonly Line[] {
  // One row says how many more servers there are.
  const room = Math.max(1, servers.length <= height ? servers.length : height - 1);
  const { shown, above } = windowAround(servers, selected, room);
  const longest = Math.max(...servers.map(({ name }) => widthOf(cleanLine(name))));
  const nameWidth = Math.max(4, Math.min(longest, Math.floor(canvas.width / 3)));
  const sources = Math.min(
    18,
    Math.max(...servers.map(({ source }) => widthOf(cleanLine(source)))),
  );
  const columns = { nameWidth, sources: canvas.width >= 60 ? sources : 0 };
  const rows = shown.map((server, index) =>
    rowLine(server, { ...columns, isSelected: above + index === selected }, canvas),
  );
  const hidden = servers.length - shown.length;
  return hidden === 0
    ? rows
    : [
        ...rows,
        cutSpans(
          [span(`  ${canvas.theme.symbols.ellipsis} ${hidden} more`, { role: 'dim' })],
          canvas.width,
          canvas.theme,
        ),
      ];
}

interface RowLook {
  readonly nameWidth: number;
  readonly sources: number;
  readonly isSelected: boolean;
}

function rowLine(server: ServerRow, look: RowLook, canvas: Canvas): Line {
  const { theme, width } = canvas;
  const { word, role, symbol } = STATE_LOOKS[server.state];
  const mark = String(theme.symbols[symbol]);
  const tools = server.state === 'ready' || server.tools > 0 ? plural(server.tools, 'tool') : '';
  const fitted = (text: string, columns: number, style = {}): Line =>
    padLine(cutSpans([span(text, style)], columns, theme), columns);
  const line = [
    span(look.isSelected ? `${theme.symbols.pointer} ` : '  ', { role: 'accent', isBold: true }),
    span(`${mark} `, { role }),
    ...fitted(cleanLine(server.name), look.nameWidth, { isBold: look.isSelected }),
    span('  '),
    ...fitted(word, STATE_WIDTH, { role }),
    span('  '),
    ...(width >= 44 ? [...fitted(tools, 9), span('  ')] : []),
    ...(look.sources === 0
      ? []
      : [...fitted(cleanLine(server.source), look.sources, { role: 'dim' }), span('  ')]),
  ];
  const detail = cleanLine(server.detail ?? '');
  const used = line.reduce((sum, { text }) => sum + widthOf(text), 0);
  const hasRoom = width - used >= LEAST_DETAIL && detail !== '';
  return cutSpans(hasRoom ? [...line, span(detail, { role: 'dim' })] : line, width, theme);
}

function actionsLine({ actions }: ServerRow): Line {
  return actions.flatMap((action, index): Line => {
    const { key, word } = SERVER_ACTIONS[action];
    return [
      span(index === 0 ? '' : '   '),
      span(key, { role: 'accent', isBold: true }),
      span(` ${word}`),
    ];
  });
}

function detailLines(server: ServerRow, most: number, canvas: Canvas): readonly Line[] {
  const { theme } = canvas;
  const inside = canvas.width - 4;
  const bar = span(`  ${theme.symbols.bar} `, { role: STATE_LOOKS[server.state].role });
  const text = clean(server.detail ?? '').trim();
  const detail = text === '' ? [] : wrapSpans([span(text)], inside);
  const shown = windowFrom(detail, 0, Math.max(1, most)).shown;
  const facts = [
    [
      span(cleanLine(server.name), { isBold: true }),
      span(`  ${cleanLine(server.source)}`, { role: 'dim' } as const),
    ],
    ...shown,
    ...(server.actions.length === 0 ? [] : [actionsLine(server)]),
  ];
  return indented(
    facts.flatMap((line) => wrapSpans(line, inside)),
    bar,
    bar,
  );
}
