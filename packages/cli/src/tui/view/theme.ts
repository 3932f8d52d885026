// The look of the terminal agent: a few colours, named by their meaning, and its symbols. The colours are readable on light and
// dark screens, and no meaning depends on them. Pure: the environment is passed as values.

/** The meaning of a colour. Most text has none. */
export type Role =
  | 'dim'
  | 'accent'
  | 'good'
  | 'bad'
  | 'warning'
  | 'code'
  | 'keyword'
  | 'string'
  | 'number';

export interface Style {
  readonly role?: Role;
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isStruck?: boolean;
}

/** `none`: no escape sequences at all. `mono`: bold and underlined text, but no colour. */
export type ColourDepth = 'none' | 'mono' | '16' | '256';

type Colours = Readonly<Record<Role, number>>;

/** `any` is readable on light and dark screens; `terminal` uses the sixteen colours of the terminal. */
export type ThemeName = 'any' | 'dark' | 'light' | 'terminal';

export interface Theme {
  readonly depth: ColourDepth;
  readonly symbols: Symbols;
  /** Indices into the 256 colours. */
  readonly colours: Colours;
  /** Whether the terminal supports hyperlinks (OSC 8). */
  readonly hasLinks: boolean;
}

export interface Symbols {
  readonly prompt: string;
  readonly done: string;
  readonly failed: string;
  readonly cancelled: string;
  readonly waiting: string;
  readonly idle: string;
  readonly ready: string;
  readonly key: string;
  readonly off: string;
  readonly blocked: string;
  readonly warning: string;
  readonly info: string;
  readonly bullets: readonly string[];
  readonly checked: string;
  readonly unchecked: string;
  readonly chosen: string;
  readonly unchosen: string;
  readonly pointer: string;
  readonly dot: string;
  readonly bar: string;
  readonly foldedBar: string;
  readonly typed: string;
  readonly corner: string;
  readonly line: string;
  readonly cross: string;
  readonly full: string;
  readonly empty: string;
  readonly arrow: string;
  readonly ellipsis: string;
  readonly thinking: string;
  readonly attachment: string;
  readonly spinner: readonly string[];
}

const UNICODE: Symbols = {
  prompt: '❯',
  done: '✓',
  failed: '✗',
  cancelled: '⊘',
  waiting: '◔',
  idle: '○',
  ready: '●',
  key: '◆',
  off: '◌',
  blocked: '⊘',
  warning: '▲',
  info: '·',
  bullets: ['•', '◦', '▪'],
  checked: '☑',
  unchecked: '☐',
  chosen: '◉',
  unchosen: '○',
  pointer: '›',
  dot: '·',
  bar: '│',
  foldedBar: '┊',
  typed: '┃',
  corner: '└',
  line: '─',
  cross: '┼',
  full: '━',
  empty: '─',
  arrow: '→',
  ellipsis: '…',
  thinking: '∴',
  attachment: '↳',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
};

const ASCII: Symbols = {
  prompt: '>',
  done: '+',
  failed: 'x',
  cancelled: '-',
  waiting: '?',
  idle: 'o',
  ready: '*',
  key: '!',
  off: '-',
  blocked: 'x',
  warning: '!',
  info: '-',
  bullets: ['*', '-', '+'],
  checked: '[x]',
  unchecked: '[ ]',
  chosen: '(x)',
  unchosen: '( )',
  pointer: '>',
  dot: '-',
  bar: '|',
  foldedBar: ':',
  typed: '>',
  corner: '`',
  line: '-',
  cross: '+',
  full: '#',
  empty: '-',
  arrow: '->',
  ellipsis: '...',
  thinking: '~',
  attachment: '+',
  spinner: ['|', '/', '-', '\\'],
};

export interface TerminalEnvironment {
  readonly hasColour: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As in `process.platform`. */
  readonly platform: string;
}

export function themeFor(
  { hasColour, env, platform }: TerminalEnvironment,
  name: ThemeName = 'any',
): Theme {
  const depth = depthOf({ hasColour, env, platform });
  return {
    depth: depth === '256' && name === 'terminal' ? '16' : depth,
    colours: COLOURS[name === 'terminal' ? 'any' : name],
    symbols: isUnicode(env, platform) ? UNICODE : ASCII,
    hasLinks: hasColour && canLink(env),
  };
}

/** `any` has contrast to both black and white; `dark` and `light` have more contrast to one of them. */
export const COLOURS: Readonly<Record<Exclude<ThemeName, 'terminal'>, Colours>> = {
  any: {
    dim: 243,
    accent: 32,
    good: 28,
    bad: 160,
    warning: 130,
    code: 97,
    keyword: 97,
    string: 28,
    number: 130,
  },
  dark: {
    dim: 248,
    accent: 117,
    good: 114,
    bad: 210,
    warning: 215,
    code: 183,
    keyword: 183,
    string: 114,
    number: 215,
  },
  light: {
    dim: 240,
    accent: 24,
    good: 22,
    bad: 88,
    warning: 58,
    code: 54,
    keyword: 54,
    string: 22,
    number: 58,
  },
};

/** Independent of the environment. */
export const DEFAULT_THEME: Theme = {
  depth: '256',
  symbols: UNICODE,
  colours: COLOURS.any,
  hasLinks: false,
};
export const PLAIN_THEME: Theme = { ...DEFAULT_THEME, depth: 'none' };
export const ASCII_THEME: Theme = { ...PLAIN_THEME, symbols: ASCII };

type Env = TerminalEnvironment['env'];

function depthOf({ hasColour, env, platform }: TerminalEnvironment): ColourDepth {
  if (env['TERM'] === 'dumb') return 'none';
  if ((env['NO_COLOR'] ?? '') !== '') return 'mono';
  if (!hasColour) return 'none';
  if (/^(?:truecolor|24bit)$/i.test(env['COLORTERM'] ?? '')) return '256';
  if (/256|direct|kitty|ghostty|alacritty|wezterm/i.test(env['TERM'] ?? '')) return '256';
  return env['TERM_PROGRAM'] !== undefined ||
    env['WT_SESSION'] !== undefined ||
    platform === 'win32'
    ? '256'
    : '16';
}

/** According to the locale. Without one, UTF-8 on a Mac; on Windows, in modern terminals. */
function isUnicode(env: Env, platform: string): boolean {
  if (env['TERM'] === 'linux' || env['TERM'] === 'dumb') return false;
  if (platform === 'win32')
    return env['WT_SESSION'] !== undefined || env['TERM_PROGRAM'] !== undefined;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((one) => (one ?? '') !== '');
  return locale === undefined ? platform === 'darwin' : /utf-?8/i.test(locale);
}

/**
 * Only terminals that are known to support links: others print the address as garbage. Behind a multiplexer that is unknown.
 */
function canLink(env: Env): boolean {
  if (env['TMUX'] !== undefined || (env['TERM'] ?? '').startsWith('screen')) return false;
  if (/^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper|Tabby)$/.test(env['TERM_PROGRAM'] ?? ''))
    return true;
  if (/kitty|ghostty|alacritty/.test(env['TERM'] ?? '')) return true;
  return env['WT_SESSION'] !== undefined || Number(env['VTE_VERSION'] ?? 0) >= 5000;
}

/** SGR codes. The user's terminal chooses the shades. */
const SIXTEEN: Readonly<Record<Role, number>> = {
  dim: 2,
  accent: 36,
  good: 32,
  bad: 31,
  warning: 33,
  code: 35,
  keyword: 35,
  string: 32,
  number: 33,
};

export function paint(theme: Theme, style: Style, text: string): string {
  const codes =
    theme.depth === 'none' || text === '' ? [] : codesOf(style, theme.depth, theme.colours);
  return codes.length === 0 ? text : `\u001B[${codes.join(';')}m${text}\u001B[0m`;
}

function codesOf(
  style: Style,
  depth: Exclude<ColourDepth, 'none'>,
  colours: Colours,
): readonly (number | string)[] {
  return [
    ...(style.isBold === true ? [1] : []),
    ...(style.isItalic === true ? [3] : []),
    ...(style.isUnderlined === true ? [4] : []),
    ...(style.isStruck === true ? [9] : []),
    ...(style.role === undefined || depth === 'mono'
      ? []
      : [depth === '256' ? `38;5;${colours[style.role]}` : SIXTEEN[style.role]]),
  ];
}
