import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { splitCommand } from '../../../src/config/fields/split-command.ts';

describe('splitCommand', () => {
  verifies('CFG-15');

  it.each([
    ['get-token', ['get-token']],
    ['  get-token  --for  me\t', ['get-token', '--for', 'me']],
    [`sh -c 'echo "$X" | cat; exit'`, ['sh', '-c', 'echo "$X" | cat; exit']],
    [`a "b c" 'd "e"'`, ['a', 'b c', 'd "e"']],
    [`a ''`, ['a', '']],
    ['a ""x', ['a', 'x']],
    [`a b'c'"d"e`, ['a', 'bcde']],
    ['a\\ b \\$HOME \\"', ['a b', '$HOME', '"']],
    ['a "\\$x \\` \\" \\\\ \\n"', ['a', '$x ` " \\ \\n']],
    ['a "two\nlines"', ['a', 'two\nlines']],
    ['a b\\\nc', ['a', 'bc']],
    ['a "b\\\nc"', ['a', 'bc']],
    ['a # * ? ~ {b} [c] !', ['a', '#', '*', '?', '~', '{b}', '[c]', '!']],
  ])('splits %j', (text, [command, ...args]) => {
    expect(splitCommand(text)).toEqual({ ok: true, value: { command, args } });
  });

  it.each([
    ['a | b', '|'],
    ['a && b', '&'],
    ['a; b', ';'],
    ['a < b', '<'],
    ['a >b', '>'],
    ['(a)', '('],
    ['a )', ')'],
    ['a $HOME', '$'],
    ['a "x$HOME"', '$'],
    ['a `b`', '`'],
    ['a "`b`"', '`'],
    ['a\nb', '\n'],
  ])('refuses %j, which only a shell could run', (text, character) => {
    expect(splitCommand(text)).toEqual({ ok: false, error: { kind: 'needs-shell', character } });
  });

  it.each([
    [`a 'b`, { kind: 'open-quote', quote: "'" }],
    ['a "b', { kind: 'open-quote', quote: '"' }],
    ['a "b\\"', { kind: 'open-quote', quote: '"' }],
    ['a \\', { kind: 'open-escape' }],
    ['', { kind: 'empty' }],
    ['  ', { kind: 'empty' }],
    [`'' a`, { kind: 'empty' }],
  ])('refuses %j', (text, error) => {
    expect(splitCommand(text)).toEqual({ ok: false, error });
  });

  it('returns quoted words literally', () => {
    const word = fc.string({ minLength: 1 }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        const [command, ...args] = words;
        const quoted = words.map((each) => `'${each.replaceAll("'", `'\\''`)}'`).join(' ');
        expect(splitCommand(quoted)).toEqual({ ok: true, value: { command, args } });
      }),
    );
  });

  it('splits every accepted line as a shell does', () => {
    const piece = fc.constantFrom('a', ' ', '  ', "'", '"', '\\', '\t', '$', '|', '=', 'é', ',');
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => `x${pieces.join('')}`);
    fc.assert(
      fc.property(text, (line) => {
        const split = splitCommand(line);
        if (!split.ok) return;
        const said = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
        expect([split.value.command, ...split.value.args]).toEqual(said.split('\0').slice(0, -1));
      }),
      { numRuns: 60 },
    );
  });
});
