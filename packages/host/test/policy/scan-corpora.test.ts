import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verifies } from '@plugboard/testkit';
import { scanDefinition } from '../../src/policy/scan/scan-definition.ts';
import { CLASSES, LANGUAGE_COUNT } from './scan-corpora.ts';

function countFound(texts: readonly string[]): number {
  return texts.filter((description) =>
    scanDefinition({ name: 'do_it', description }).some(({ severity }) => severity === 'danger'),
  ).length;
}

function shareFound(texts: readonly string[]): number {
  return (countFound(texts) * 100) / texts.length;
}

/** The least detection rates, in percent of the held-out half. */
const FLOORS: Readonly<Record<string, number>> = {
  'direct injections': 85,
  'the same after "Test input: "': 85,
  'indirect injections': 60,
  'disguised and encoded': 80,
  'other languages': 80,
};

/** | class | 1 of 2 | 3 of 4 | */
const ROW = /^\| (.+) \| (\d+) of (\d+) \| (\d+) of (\d+) \|$/gm;

interface Row {
  readonly name: string;
  readonly numbers: readonly number[];
}

function statedRows(): readonly Row[] {
  const text = readFileSync(new URL('../../../../SECURITY.md', import.meta.url), 'utf8');
  return Array.from(text.matchAll(ROW), ([, name = '', ...numbers]) => ({
    name,
    numbers: numbers.map(Number),
  }));
}

describe('the scanner on attacks that no rule was made for', () => {
  verifies('POL-13');

  it.each(Object.entries(FLOORS))('finds of %s at least %i percent', (name, floor) => {
    expect(shareFound(CLASSES[name]?.heldOut ?? [])).toBeGreaterThanOrEqual(floor);
  });

  it.each(statedRows())('finds no less than SECURITY.md states: $name', (row) => {
    const { tuned = [], heldOut = [] } = CLASSES[row.name] ?? {};
    const [tunedFound = 0, tunedCount, heldFound = 0, heldCount] = row.numbers;
    expect([tuned.length, heldOut.length]).toEqual([tunedCount, heldCount]);
    expect(countFound(tuned)).toBeGreaterThanOrEqual(tunedFound);
    expect(countFound(heldOut)).toBeGreaterThanOrEqual(heldFound);
  });

  it('has a row in SECURITY.md for each class', () => {
    expect(statedRows().map(({ name }) => name)).toEqual(Object.keys(CLASSES));
  });

  it('promises little for paraphrases without stock phrases', () => {
    const { tuned = [], heldOut = [] } = CLASSES['paraphrases without stock phrases'] ?? {};
    expect(shareFound([...tuned, ...heldOut])).toBeLessThan(50);
  });

  it('is measured on at least a fifth of each class, and on more than a dozen languages', () => {
    for (const { tuned, heldOut } of Object.values(CLASSES)) {
      expect(heldOut.length / (tuned.length + heldOut.length)).toBeGreaterThanOrEqual(0.2);
    }
    expect(LANGUAGE_COUNT).toBeGreaterThan(12);
  });
});
