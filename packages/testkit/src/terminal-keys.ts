// The bytes that a terminal sends for a key, by name: "enter", "up", "ctrl+c", "alt+x", "shift+tab". Pure.

const PLAIN: Readonly<Record<string, string>> = {
  enter: '\r',
  escape: '\u001B',
  tab: '\t',
  'shift+tab': '\u001B[Z',
  backspace: '\u007F',
  delete: '\u001B[3~',
  space: ' ',
  'page-up': '\u001B[5~',
  'page-down': '\u001B[6~',
};

/** Keys that have a second form in application mode. */
const CURSOR: Readonly<Record<string, string>> = {
  up: 'A',
  down: 'B',
  right: 'C',
  left: 'D',
  home: 'H',
  end: 'F',
};

/** `application`: the program has switched the cursor keys to application mode. */
export function keyBytes(key: string, cursorKeys: 'normal' | 'application'): string {
  const plain = PLAIN[key];
  if (plain !== undefined) return plain;
  const cursor = CURSOR[key];
  if (cursor !== undefined) return `\u001B${cursorKeys === 'application' ? 'O' : '['}${cursor}`;
  const [, modifier, rest = ''] = /^(ctrl|alt)\+(.+)$/.exec(key) ?? [];
  if (modifier === 'ctrl' && /^[a-z]$/.test(rest)) {
    return String.fromCodePoint((rest.codePointAt(0) ?? 0) - 0x60);
  }
  if (modifier === 'alt') return `\u001B${PLAIN[rest] ?? rest}`;
  throw new RangeError(`no such key: ${JSON.stringify(key)}`);
}
