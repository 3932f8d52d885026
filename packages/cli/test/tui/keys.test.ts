// Parsing of terminal input into keys.

import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chordOf, type Key, KeyParser } from '../../src/tui/keys/index.ts';

function words(keys: readonly Key[]): readonly string[] {
  return keys.map((key) => (key.kind === 'press' ? chordOf(key) : `${key.kind}:${key.text}`));
}

function parsed(input: string): readonly string[] {
  const parser = new KeyParser();
  return words([...parser.push(input), ...parser.flush()]);
}

describe('parsing keys', () => {
  it.each([
    ['hello', ['text:hello']],
    ['日本 👩‍👩‍👧', ['text:日本 👩‍👩‍👧']],
    ['a\rb', ['text:a', 'enter', 'text:b']],
    ['\u0001\u0005\u000B', ['ctrl-a', 'ctrl-e', 'ctrl-k']],
    ['\n', ['ctrl-j']],
    ['\u007F\b', ['backspace', 'backspace']],
    ['\u001F', ['ctrl-_']],
    ['\t\u001B[Z', ['tab', 'shift-tab']],
    ['\u001B[A\u001BOB\u001B[1;5C', ['up', 'down', 'ctrl-right']],
    ['\u001B[H\u001B[4~\u001B[3~', ['home', 'end', 'delete']],
    ['\u001B\r\u001Bb\u001B\u007F', ['alt-enter', 'alt-b', 'alt-backspace']],
    ['\u001B', ['escape']],
    ['\u001B\u001B[A', ['escape', 'up']],
    ['\u001B[13;2u\u001B[27;2;13~', ['shift-enter', 'shift-enter']],
    ['\u001B[99;5u\u001B[27u\u001B[97;1u', ['ctrl-c', 'escape', 'text:a']],
    ['\u001B[99;5:3u', []],
    ['\u001B[?1u\u001B[I\u001B]11;rgb:0/0/0\u0007x', ['text:x']],
    ['\u001B[200~a\r\nb\u001B[A\u001B[201~c', ['paste:a\nb\u001B[A', 'text:c']],
  ])('recognizes %j', (input, expected) => {
    expect(parsed(input)).toEqual(expected);
  });

  it('yields the same keys from pieces as from the whole input', () => {
    const part = fc.constantFrom(
      'abc',
      '\u001B[A',
      '\u001B[1;3D',
      '\u001B[200~one\ntwo\u001B[201~',
      '\u001B[13;2u',
      '\r',
      'é',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.nat(), (parts, at) => {
        const whole = parts.join('');
        const cut = whole.length === 0 ? 0 : at % whole.length;
        const parser = new KeyParser();
        const keys = words([...parser.push(whole.slice(0, cut)), ...parser.push(whole.slice(cut))]);
        expect(joined(keys)).toEqual(joined(parsed(whole)));
      }),
    );
  });

  it('accepts any bytes, and leaves none pending at the end', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (input) => {
        fc.pre(!input.includes('\u001B[200~'));
        const parser = new KeyParser();
        parser.push(input);
        parser.flush();
        expect(parser.isWaiting).toBe(false);
      }),
    );
  });

  it('waits for the end of a paste, however long it takes', () => {
    const parser = new KeyParser();
    expect([...parser.push('\u001B[200~one'), ...parser.flush()]).toEqual([]);
    expect(words(parser.push(' two\u001B[201~'))).toEqual(['paste:one two']);
  });
});

/** Joins text that was split into two keys. */
function joined(keys: readonly string[]): readonly string[] {
  const all: string[] = [];
  for (const key of keys) {
    const last = all.at(-1);
    if (key.startsWith('text:') && last?.startsWith('text:') === true) {
      all[all.length - 1] = last + key.slice('text:'.length);
    } else {
      all.push(key);
    }
  }
  return all;
}
