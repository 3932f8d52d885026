// Turns terminal input into keys: text, bracketed pastes, and the sequences of xterm, its `modifyOtherKeys` and the
// kitty protocol. Sequences may arrive in pieces; unknown ones are dropped whole. The caller decides when to stop
// waiting for the rest of a sequence, which is how a lone Escape is recognised.

import { type Key, press, type Press } from './key.ts';

const PASTE_START = '\u001B[200~';
const PASTE_END = '\u001B[201~';
/** Limits the memory for a paste that never ends. */
const LONGEST_PASTE = 10_000_000;

interface Step {
  readonly keys: readonly Key[];
  readonly length: number;
}

export class KeyParser {
  #pending = '';

  /** Whether a sequence has begun whose end may still arrive. */
  get isWaiting(): boolean {
    return this.#pending !== '';
  }

  push(chunk: string): readonly Key[] {
    this.#pending += chunk;
    return this.#take('more may come');
  }

  /** Stops waiting: what looked like the beginning of a sequence is taken as keys. */
  flush(): readonly Key[] {
    return this.#take('no more');
  }

  #take(rest: 'more may come' | 'no more'): readonly Key[] {
    const keys: Key[] = [];
    while (this.#pending !== '') {
      const step =
        stepOf(this.#pending) ?? (rest === 'no more' ? stepWithoutEnd(this.#pending) : undefined);
      if (step === undefined) break;
      keys.push(...step.keys);
      this.#pending = this.#pending.slice(step.length);
    }
    return keys;
  }
}

/** `undefined` if the end of the sequence has not arrived. */
function stepOf(input: string): Step | undefined {
  if (input.startsWith('\u001B')) return escapeStep(input);
  const text = /^[^\u0000-\u001F\u007F]+/u.exec(input)?.[0];
  if (text !== undefined) return { keys: [{ kind: 'text', text }], length: text.length };
  return { keys: controlKey(input.charCodeAt(0)), length: 1 };
}

function stepWithoutEnd(input: string): Step | undefined {
  // Over a slow line, the end of a paste may take a while.
  if (input.startsWith(PASTE_START)) return undefined;
  return { keys: [press('escape')], length: 1 };
}

function controlKey(code: number): readonly Key[] {
  if (code === 0x0d) return [press('enter')];
  if (code === 0x09) return [press('tab')];
  if (code === 0x7f || code === 0x08) return [press('backspace')];
  if (code >= 1 && code <= 26) return [press(String.fromCodePoint(code + 96), { ctrl: true })];
  return code === 0x1f ? [press('_', { ctrl: true })] : [];
}

const CSI = /^\u001B\[([0-?]*)[ -/]*([@-~])/;
/** Replies of the terminal to queries. */
const STRING = /^\u001B[\]P_^X][^\u0007\u001B]*(?:\u0007|\u001B\\)/;

function escapeStep(input: string): Step | undefined {
  if (input.startsWith(PASTE_START)) return pasteStep(input);
  const second = input[1];
  if (second === undefined) return undefined;
  if (second === '[') {
    const [whole, parameters = '', final = ''] = CSI.exec(input) ?? [];
    if (whole !== undefined) return { keys: csiKeys(parameters, final), length: whole.length };
    // Text that cannot become a sequence: the key was Escape, followed by text.
    return /^\u001B\[[0-?]*[ -/]*$/.test(input)
      ? undefined
      : { keys: [press('escape')], length: 1 };
  }
  if (second === 'O') {
    const third = input[2];
    if (third === undefined) return undefined;
    const name = third === 'M' ? 'enter' : LETTERS[third];
    return { keys: name === undefined ? [] : [press(name)], length: 3 };
  }
  if (/[\]P_^X]/.test(second)) {
    const whole = STRING.exec(input)?.[0];
    return whole === undefined ? undefined : { keys: [], length: whole.length };
  }
  if (second === '\u001B') return { keys: [press('escape')], length: 1 };
  return altStep(input);
}

function altStep(input: string): Step {
  const character = String.fromCodePoint(input.codePointAt(1) ?? 0);
  const length = 1 + character.length;
  const [control] =
    character < ' ' || character === '\u007F' ? controlKey(character.charCodeAt(0)) : [];
  if (control?.kind === 'press') return { keys: [{ ...control, alt: true }], length };
  const isUpper = character !== character.toLowerCase();
  return { keys: [press(character.toLowerCase(), { alt: true, shift: isUpper })], length };
}

function pasteStep(input: string): Step | undefined {
  const end = input.indexOf(PASTE_END);
  const isTooLong = end === -1 && input.length > LONGEST_PASTE;
  if (end === -1 && !isTooLong) return undefined;
  const stop = isTooLong ? input.length : end;
  const text = input.slice(PASTE_START.length, stop).replaceAll(/\r\n?/g, '\n');
  return {
    keys: [{ kind: 'paste', text }],
    length: isTooLong ? stop : stop + PASTE_END.length,
  };
}

const LETTERS: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
};

const NUMBERS: Readonly<Record<string, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
};

function csiKeys(parameters: string, final: string): readonly Key[] {
  const [first = '', second = '', third = ''] = parameters.split(';');
  if (final === 'Z') return [press('tab', { shift: true })];
  if (final === 'u') return codeKeys(first, second);
  if (final === '~' && first === '27') return codeKeys(third, second);
  const name = final === '~' ? NUMBERS[first] : LETTERS[final];
  const held = modifiersOf(second);
  return name === undefined || held === undefined ? [] : [press(name, held)];
}

const CODES: Readonly<Record<number, string>> = {
  9: 'tab',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
  8: 'backspace',
  57_414: 'enter',
};

/** The key with this character code. */
function codeKeys(code: string, modifiers: string): readonly Key[] {
  // The codes of other layouts follow after a colon.
  const number = Number.parseInt(code, 10);
  const held = modifiersOf(modifiers);
  if (!(number >= 1 && number <= 0x10_ff_ff) || held === undefined) return [];
  const name = CODES[number];
  if (name !== undefined) return [press(name, held)];
  // Keys without a character have codes of the private use area; none of them is bound.
  if (number < 32 || (number >= 57_344 && number <= 63_743)) return [];
  const text = String.fromCodePoint(number);
  if (held.ctrl || held.alt) return [press(text.toLowerCase(), held)];
  return [{ kind: 'text', text: held.shift ? text.toUpperCase() : text }];
}

type Modifiers = Pick<Press, 'ctrl' | 'alt' | 'shift'>;

/** `undefined` for a key release. */
function modifiersOf(modifiers: string): Modifiers | undefined {
  const [mask = '', event = '1'] = modifiers.split(':');
  if (event === '3') return undefined;
  const bits = Math.max(0, (Number.parseInt(mask, 10) || 1) - 1);
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0, ctrl: (bits & 4) !== 0 };
}
