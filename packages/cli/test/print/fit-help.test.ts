// Help on narrow screens.

import { describe, expect, it } from 'vitest';
import { fitHelp } from '../../src/print/fit-help.ts';
import * as texts from '../../src/print/help-text.ts';
import { widthOf } from '../../src/print/width.ts';

const HELP = `
Fields:
  key=text    text; a number, boolean, list or object if the tool accepts nothing else
  /mcp        all

Your rules decide about each call. If no rule covers a call,
you are asked on a terminal.

Examples:
  $ plugboard call everything echo message=hello        says it`;

describe('help on a narrow screen', () => {
  it('wraps prose, puts explanations below their terms, and keeps commands on one line', () => {
    expect(fitHelp(HELP, 40)).toBe(`
Fields:
  key=text
      text; a number, boolean, list or
      object if the tool accepts nothing
      else
  /mcp        all

Your rules decide about each call. If no
rule covers a call, you are asked on a
terminal.

Examples:
  $ plugboard call everything echo message=hello
      says it`);
  });

  it('breaks a list between its items', () => {
    expect(fitHelp('  0 ok   1 usage   2 tool or server', 20)).toBe(
      '  0 ok   1 usage\n  2 tool or server',
    );
  });

  it('is unchanged if it fits', () => {
    expect(fitHelp(HELP, 100)).toBe(HELP);
  });

  it.each(Object.entries(texts))('%s has no line except commands that is too long', (_, text) => {
    const lines = fitHelp(text, 40).split('\n');
    const tooLong = lines.filter((line) => widthOf(line) > 40 && !line.startsWith('  $ '));
    expect(tooLong).toEqual([]);
  });
});
