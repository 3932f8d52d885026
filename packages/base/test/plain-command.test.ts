// Which lines are one plain command, and that a rule about a command never matches a line with any other effect in bash.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandPattern, plainCommand, runsCommand } from '../src/plain-command.ts';

function fits(pattern: string, line: string): string {
  return runsCommand(line, commandPattern(pattern));
}

describe('a rule about the words of a command', () => {
  it('matches the program with these words, and with more words only after a star', () => {
    verifies('AGT-09');
    expect(fits('npm test', 'npm test')).toBe('yes');
    expect(fits('npm test', '  npm   test ')).toBe('yes');
    expect(fits('npm test', '"npm" te\\st')).toBe('yes');
    expect(fits('npm test', 'npm test -- --watch')).toBe('no');
    expect(fits('npm test *', 'npm test -- --watch')).toBe('yes');
    expect(fits('git status *', 'git status')).toBe('yes');
    expect(fits('git status *', 'git statusx')).toBe('no');
    expect(fits('git status *', 'git push')).toBe('no');
    expect(fits('git add *', 'git add src/*.ts')).toBe('yes');
    expect(fits('git log *', "git log --grep='a; b $(c)'")).toBe('yes');
  });

  it.each([
    'git status; rm -rf x',
    'git status;rm -rf x',
    'git status && rm -rf x',
    'git status || rm -rf x',
    'git status | sh',
    'git status |& sh',
    'git status & rm -rf x',
    'git status\nrm -rf x',
    'git status\rrm -rf x',
    'git status $(rm -rf x)',
    'git status "$(rm -rf x)"',
    'git status `rm -rf x`',
    'git status "`rm -rf x`"',
    'git status ${x:=y}',
    'git status $HOME',
    "git status $'a\\nb'",
    'git status > x',
    'git status 2>x',
    'git status >>x',
    'git status < x',
    'git status <<x',
    'git status <<<x',
    'git status <(rm -rf x)',
    'git status >(rm -rf x)',
    'A=b git status',
    'PATH=. git status',
    'A+=b git status',
    'git status # rm',
    'git status {a,b}',
    'git status *',
    'git status -*',
    'git status ?x',
    'git status [-]x',
    'gi? status',
    'g*t status',
    '(git status)',
    '{ git status; }',
    '! git status',
    'time git status',
    'if git status',
    'git status \\',
    "git status 'x",
    'git status "x',
    'git\u00a0status',
    'git status\u2028rm',
    'git \u202Estatus',
    '',
  ])('never fits %j, which may do something else', (line) => {
    verifies('AGT-09');
    expect(fits('git status *', line)).not.toBe('yes');
  });

  it('can only contain the words of one command', () => {
    verifies('AGT-09');
    for (const pattern of ['', '*', 'a; b', '$x', 'a > b', 'a* b', 'A=b c', "a 'b"]) {
      expect(commandPattern(pattern)).toBeUndefined();
    }
  });

  it('matches a line only if bash runs this program alone, once, with the same words', () => {
    verifies('AGT-09');
    const pieces = fc.constantFrom(
      ...'git status rm x y; ;; & && || | > < $x $(rm) `rm` ( ) { } # ! ~ ~x * ?x [a] src/* "a b" \'c;d\' "e\\"f" \\; \\  A=b -- -x é = time \n \t " \''.split(
        ' ',
      ),
      'a b',
      '\\ ',
    );
    const line = fc
      .array(fc.tuple(pieces, fc.constantFrom(' ', '  ', '', '\t')), { maxLength: 6 })
      .map((parts) => `git status ${parts.map(([piece, gap]) => `${piece}${gap}`).join('')}`);
    const folder = mkdtempSync(join(tmpdir(), 'plain-command-'));
    try {
      const log = join(folder, 'log');
      // A file pattern without a match stays unchanged.
      const empty = join(folder, 'empty');
      mkdirSync(empty);
      for (const name of ['git', 'rm', 'x']) {
        const program = join(folder, name);
        const script = `#!/bin/bash\n{ printf '%s\\0' "\${0##*/}" "$@"; printf '\\1'; } >>'${log}'\n`;
        writeFileSync(program, script);
        chmodSync(program, 0o755);
      }
      let ran = 0;
      fc.assert(
        fc.property(line, (text) => {
          if (fits('git status *', text) !== 'yes') return;
          ran += 1;
          writeFileSync(log, '');
          const env = { PATH: folder, HOME: '/home/nobody' };
          execFileSync('/bin/bash', ['-c', text], { cwd: empty, env, stdio: 'ignore' });
          const words = (plainCommand(text) ?? []).map((word) => word.text);
          const isTilde = words.some((word) => word.startsWith('~'));
          const [first, ...others] = readFileSync(log, 'utf8').split('\u0001');
          expect(others).toEqual(['']);
          if (!isTilde) expect(first?.split('\0').slice(0, -1)).toEqual(words);
        }),
        { numRuns: 300 },
      );
      expect(ran).toBeGreaterThan(5);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
