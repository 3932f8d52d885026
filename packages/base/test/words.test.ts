import { withoutInflection, wordsIn } from '@plugboard/base';
import { describe, expect, it } from 'vitest';

describe('the words of a text', () => {
  it.each([
    ['parseHTTPRequest2', ['parse', 'HTTP', 'Request', '2']],
    ['snake_case and kebab-case', ['snake', 'case', 'and', 'kebab', 'case']],
    ['größeÄndern 文件', ['größe', 'Ändern', '文件']],
    ['… — !?', []],
  ])('of %s are found where names are joined', (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });
});

describe('an English word without its inflection', () => {
  it.each([
    ['retries', 'retry'],
    ['boxes', 'box'],
    ['stopped', 'stop'],
    ['parsing', 'pars'],
    ['status', 'status'],
    ['class', 'class'],
    ['bring', 'bring'],
    ['is', 'is'],
  ])('of %s is %s', (word, plain) => {
    expect(withoutInflection(word)).toBe(plain);
  });
});
