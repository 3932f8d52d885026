import { describe, expect, it } from 'vitest';
import { expandTemplate, variablesOf } from '../../src/tools/uri-template.ts';

describe('a URI template', () => {
  it.each([
    ['demo://text/{id}', 'demo://text/a%20b%2Fc'],
    ['file://{+path}', 'file:///x/y%20z'],
    ['a{/id,missing}{?id,n}{&n}{#path}', 'a/a%20b%2Fc?id=a%20b%2Fc&n=1&n=1#/x/y%20z'],
    ['a{.n}{;n}', 'a.1;n=1'],
    ['a{missing}b{', 'ab{'],
    ['a{id*}{n:3}', 'aa%20b%2Fc1'],
  ])('%s is expanded to %s', (template, expected) => {
    const values = new Map([
      ['id', 'a b/c'],
      ['path', '/x/y z'],
      ['n', '1'],
    ]);
    expect(expandTemplate(template, values)).toBe(expected);
  });

  it('lists each variable once', () => {
    expect(variablesOf('a{b}{?c,b}{/d*}')).toEqual(['b', 'c', 'd']);
  });

  it('replaces a lone surrogate by the replacement character', () => {
    expect(expandTemplate('{a}', new Map([['a', '\uD83D']]))).toBe('%EF%BF%BD');
  });
});
