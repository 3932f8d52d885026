import { describe, expect, it } from 'vitest';
import { languageOf } from '../../src/chunk/languages/language-of.ts';
import { LANGUAGES } from '../../src/chunk/languages/table.ts';

describe('the language of a file', () => {
  it.each([
    ['src/app.ts', 'typescript'],
    ['src/app.d.ts', 'typescript'],
    ['src/App.TSX', 'tsx'],
    ['lib/x.mjs', 'javascript'],
    ['include/x.h', 'c'],
    ['x.hpp', 'cpp'],
    ['deep/Dockerfile', 'dockerfile'],
    ['Dockerfile.dev', 'dockerfile'],
    ['Makefile', 'make'],
    ['Gemfile', 'ruby'],
    ['.bashrc', 'bash'],
    ['docs/readme.md', 'markdown'],
    ['LICENSE', undefined],
    ['a.ts/b', undefined],
    ['x.unknown', undefined],
    ['', undefined],
  ])('of %s is %s', (path, language) => {
    expect(languageOf(path)).toBe(language);
  });

  it.each([
    ['#!/bin/sh', 'bash'],
    ['#!/usr/bin/env bash', 'bash'],
    ['#! /usr/bin/env -S deno run --allow-all', 'typescript'],
    ['#!/usr/local/bin/python3.12', 'python'],
    ['#!/usr/bin/env NODE_ENV=test node', 'javascript'],
    ['\uFEFF#!/usr/bin/perl -w', 'perl'],
    ['#!/usr/bin/env unheard-of', undefined],
    ['// #!/bin/sh', undefined],
  ])('is read from the first line %j when the file name does not tell', (firstLine, language) => {
    expect(languageOf('bin/run', firstLine)).toBe(language);
  });

  it('follows the name rather than the first line', () => {
    expect(languageOf('run.py', '#!/bin/sh')).toBe('python');
  });

  it('is in only one row of the table', () => {
    for (const keys of [
      LANGUAGES.map(({ name }) => name),
      LANGUAGES.flatMap(({ extensions }) => extensions),
      LANGUAGES.flatMap(({ fileNames = [] }) => fileNames),
      LANGUAGES.flatMap(({ programs = [] }) => programs),
    ]) {
      expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    }
  });
});
