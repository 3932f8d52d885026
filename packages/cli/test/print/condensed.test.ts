import { describe, expect, it } from 'vitest';
import { condensed } from '../../src/print/condensed.ts';

describe('condensed text for an approval', () => {
  it('shows a long run of spaces or tabs as its length', () => {
    expect(condensed(`a${' '.repeat(300)}b`)).toBe('a[300 spaces]b');
    expect(condensed(`a${'\t'.repeat(25)}b`)).toBe('a[25 spaces]b');
    expect(condensed(`${' '.repeat(60)}b`)).toBe('[60 spaces]b');
  });

  it('shows many empty lines as their number', () => {
    expect(condensed(`a\n${'\n'.repeat(40)}b`)).toBe('a\n[40 empty lines]\nb');
    expect(condensed(`${' \n'.repeat(9)}b`)).toBe('[9 empty lines]\nb');
  });

  it('keeps the indentation of ordinary code', () => {
    const code = `if (a) {\n${' '.repeat(24)}b();      // why\n\n\n}`;
    expect(condensed(code)).toBe(code);
  });
});
