import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandOf } from '../../src/tools/command-line.ts';

describe('the command for a run', () => {
  it('contains the tool, with its arguments as JSON', () => {
    expect(
      commandOf({ kind: 'tool', server: 'demo', tool: 'echo', arguments: { message: "it's" } }),
    ).toBe(String.raw`plugboard call --args '{"message":"it'\''s"}' demo echo`);
    expect(commandOf({ kind: 'tool', server: 'demo', tool: 'now', arguments: {} })).toBe(
      'plugboard call demo now',
    );
    expect(commandOf({ kind: 'resource', server: 'demo', uri: 'demo://a?b=1' })).toBe(
      "plugboard read --server demo 'demo://a?b=1'",
    );
    expect(
      commandOf({ kind: 'prompt', server: 'demo', prompt: 'p', arguments: { city: 'New York' } }),
    ).toBe("plugboard prompt --server demo p 'city=New York'");
  });

  it('does not let a name become an option', () => {
    expect(commandOf({ kind: 'tool', server: 'demo', tool: '--yes', arguments: {} })).toBe(
      'plugboard call -- demo --yes',
    );
    expect(commandOf({ kind: 'resource', server: '-x', uri: 'a:b' })).toBe(
      'plugboard read --server=-x a:b',
    );
  });

  it('is undefined for names with control or invisible characters', () => {
    for (const tool of ['a\nrm -rf ~', 'a\u001B[2J', 'a\u202Eb', 'a\u200Bb']) {
      expect(commandOf({ kind: 'tool', server: 'demo', tool, arguments: {} })).toBeUndefined();
    }
  });

  it('passes exactly the intended words through a shell', () => {
    const name = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(name, name, (tool, text) => {
        const command = commandOf({ kind: 'tool', server: 's', tool, arguments: { text } });
        fc.pre(command !== undefined);
        const out = execFileSync(
          '/bin/sh',
          ['-c', `plugboard() { printf '%s\\0' "$@"; }; ${command}`],
          {
            encoding: 'utf8',
          },
        );
        const words = out
          .split('\0')
          .slice(0, -1)
          .filter((word) => word !== '--');
        expect(words).toEqual([
          'call',
          '--args',
          JSON.stringify({ text }),
          's',
          ...(tool === '--' ? [] : [tool]),
        ]);
      }),
      { numRuns: 40 },
    );
  });
});
