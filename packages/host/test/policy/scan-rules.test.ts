import { describe, expect, it } from 'vitest';
import { verifies } from '@plugboard/testkit';
import { findPattern, patternsOf } from '../../src/policy/scan/pattern.ts';
import { plainText } from '../../src/policy/scan/plain-text.ts';
import { readingOf, type Token } from '../../src/policy/scan/reading.ts';
import { RULES } from '../../src/policy/scan/weigh.ts';
import type { Rule } from '../../src/policy/scan/rules/rule.ts';
import { SHAPES } from '../../src/policy/scan/rules/shapes.ts';
import { MOST_TERMS, VOCABULARY } from '../../src/policy/scan/vocabulary.ts';
import { ENGLISH } from '../../src/policy/scan/words/english.ts';
import * as OTHER_LANGUAGES from '../../src/policy/scan/words/other-languages.ts';

/** Compiled before anything is read, as in the scanner, since rules add their own words. */
const PATTERNS = new Map(RULES.map((rule) => [rule, patternsOf(rule)]));

function tokensOf(text: string): readonly Token[] {
  const plain = plainText(text);
  const { sentences, offsets } = readingOf(plain);
  const shapes = SHAPES.flatMap(({ name, pattern }) =>
    Array.from(plain.matchAll(pattern), ({ index }) => {
      const next = offsets.findIndex((offset) => offset >= index);
      return { terms: [VOCABULARY.term(name)], position: next < 0 ? offsets.length : next };
    }),
  );
  return [...sentences.flatMap(({ tokens }) => tokens), ...shapes].toSorted(
    (a, b) => a.position - b.position,
  );
}

function isFound(rule: Rule, text: string): boolean {
  return (PATTERNS.get(rule) ?? []).some(
    (pattern) => findPattern(pattern, tokensOf(text)) !== undefined,
  );
}

describe('the rules of the scanner', () => {
  verifies('POL-13');

  describe.each(RULES.map((rule) => ({ name: rule.name, rule })))('rule "$name"', ({ rule }) => {
    it.each(rule.finds)('matches: %s', (text) => {
      expect(isFound(rule, text)).toBe(true);
    });

    it.each(rule.passes)('does not match: %s', (text) => {
      expect(isFound(rule, text)).toBe(false);
    });
  });

  describe.each(SHAPES)('pattern $name', ({ pattern, finds, passes }) => {
    it.each(finds)('matches: %s', (text) => {
      expect(plainText(text).search(new RegExp(pattern.source))).toBeGreaterThanOrEqual(0);
    });

    it.each(passes)('does not match: %s', (text) => {
      expect(plainText(text).search(new RegExp(pattern.source))).toBe(-1);
    });
  });

  it('have words as a text is read', () => {
    const lists = Object.values({ ENGLISH, ...OTHER_LANGUAGES }).flatMap((one) =>
      Object.values<string>(one),
    );
    const said = RULES.flatMap(({ says }) => says).flatMap((one) => one.split(/[ |]/));
    const words = [...lists, ...said.filter((word) => word === word.toLowerCase())];
    expect(words.filter((word) => plainText(word) !== word)).toEqual([]);
  });

  it('have unique names, and a vocabulary within its limit', () => {
    const names = [...RULES, ...SHAPES].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(VOCABULARY.size).toBeLessThan(MOST_TERMS);
  });
});
