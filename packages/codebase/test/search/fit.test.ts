import { describe, expect, it } from 'vitest';
import { fitTo } from '../../src/search/fit.ts';
import { readQuery, identifierWords } from '../../src/words/index.ts';

const fit = (question: string, name: string): number =>
  fitTo(readQuery(question))(identifierWords(name));

describe('how well a name fits a question', () => {
  it.each([
    ['retry policy', 'RetryPolicy', 1],
    ['retry policy', 'retry', 0.5],
    ['retry', 'RetryPolicy', 0.5],
    ['retry policy', 'Socket', 0],
    ['router groups', 'routergroup', 1],
    ['configuration', 'config', 0.64],
    ['form', 'format', 0.64],
    ['map', 'mapper', 0],
    ['anything', '', 0],
    ['', 'anything', 0],
  ])('%j and %j: %d', (question, name, expected) => {
    expect(fit(question, name)).toBeCloseTo(expected);
  });

  it('fades as the question grows', () => {
    const long = 'retry policy of the http client when servers are overloaded or slow';
    expect(fit(long, 'RetryPolicy')).toBeLessThan(0.3);
  });
});
