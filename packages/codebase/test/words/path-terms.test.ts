import { describe, expect, it } from 'vitest';
import { pathTerms, pathWords } from '../../src/words/path-terms.ts';

describe('the words of a path', () => {
  it('are those of its folders and of its name without the extension', () => {
    expect(pathTerms('src/http-client/RetryPolicy.test.ts')).toEqual([
      'src',
      'http',
      'client',
      'retri',
      'polici',
      'retrypolici',
    ]);
  });

  it('name the file and its folder', () => {
    expect(pathWords('lib/streams/JsonReader.java')).toEqual({
      names: [['json', 'reader']],
      folder: ['stream'],
    });
  });

  it.each(['index.ts', 'mod.rs', '__init__.py'])('name the folder that %s stands for', (name) => {
    expect(pathWords(`src/routing/${name}`)).toEqual({ names: [['rout']], folder: ['src'] });
  });

  it('name a top-level file by itself', () => {
    expect(pathWords('index.ts')).toEqual({ names: [['index']], folder: [] });
    expect(pathWords('.gitignore')).toEqual({ names: [['gitignor']], folder: [] });
    expect(pathWords('utils.go')).toEqual({ names: [['util']], folder: [] });
  });

  it('name a file with a common name by its folder, too', () => {
    expect(pathWords('fastapi/openapi/utils.py')).toEqual({
      names: [['util'], ['openapi'], ['openapi', 'util']],
      folder: ['openapi'],
    });
  });
});
