import { describe, expect, it } from 'vitest';
import { pagesOf } from '../../src/print/pages.ts';

describe('a text split into pages', () => {
  it('has as many rows per page as fit, and counts the remaining rows', () => {
    expect(pagesOf('1\n2\n3\n4\n5\n', { columns: 10, rows: 2 })).toEqual([
      { text: '1\n2\n', left: 3 },
      { text: '3\n4\n', left: 1 },
      { text: '5\n', left: 0 },
    ]);
  });

  it('counts a line that is wider than the screen as several rows', () => {
    const wide = 'x'.repeat(25);
    expect(pagesOf(`a\n${wide}\nb`, { columns: 10, rows: 3 })).toEqual([
      { text: 'a\n', left: 4 },
      { text: `${wide}\n`, left: 1 },
      { text: 'b\n', left: 0 },
    ]);
  });

  it('breaks a line that is taller than a page', () => {
    expect(pagesOf('x'.repeat(25), { columns: 10, rows: 2 })).toEqual([
      { text: `${'x'.repeat(10)}\n${'x'.repeat(10)}\n`, left: 1 },
      { text: 'xxxxx\n', left: 0 },
    ]);
  });

  it('does not count colour sequences', () => {
    const red = `\u001B[31m${'x'.repeat(10)}\u001B[0m`;
    expect(pagesOf(`${red}\n${red}`, { columns: 10, rows: 2 })).toEqual([
      { text: `${red}\n${red}\n`, left: 0 },
    ]);
  });

  it('is one page if no screen limits it', () => {
    const endless = { columns: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY };
    expect(pagesOf('a\nb\n', endless)).toEqual([{ text: 'a\nb\n', left: 0 }]);
  });
});
