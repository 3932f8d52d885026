import { processorMs, verifies } from '@plugboard/testkit';
import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandTemplate, fitsTemplate, templateVariables } from '../../src/catalog/uri-template.ts';

/** https://www.rfc-editor.org/rfc/rfc6570#section-3.2 */
const VALUES = {
  count: ['one', 'two', 'three'],
  dom: ['example', 'com'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  keys: { semi: ';', dot: '.', comma: ',' },
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  emptyKeys: {},
};

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['{count}', 'one,two,three'],
  ['{count*}', 'one,two,three'],
  ['{/count}', '/one,two,three'],
  ['{/count*}', '/one/two/three'],
  ['{;count}', ';count=one,two,three'],
  ['{;count*}', ';count=one;count=two;count=three'],
  ['{?count}', '?count=one,two,three'],
  ['{?count*}', '?count=one&count=two&count=three'],
  ['{&count*}', '&count=one&count=two&count=three'],
  ['{var}', 'value'],
  ['{hello}', 'Hello%20World%21'],
  ['{half}', '50%25'],
  ['O{empty}X', 'OX'],
  ['O{undef}X', 'OX'],
  ['{x,y}', '1024,768'],
  ['?{x,empty}', '?1024,'],
  ['{var:3}', 'val'],
  ['{var:30}', 'value'],
  ['{keys}', 'semi,%3B,dot,.,comma,%2C'],
  ['{keys*}', 'semi=%3B,dot=.,comma=%2C'],
  ['{+hello}', 'Hello%20World!'],
  ['{+half}', '50%25'],
  ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
  ['{+base}index', 'http://example.com/home/index'],
  ['{+path}/here', '/foo/bar/here'],
  ['here?ref={+path}', 'here?ref=/foo/bar'],
  ['{+path:6}/here', '/foo/b/here'],
  ['{+keys*}', 'semi=;,dot=.,comma=,'],
  ['{#x,hello,y}', '#1024,Hello%20World!,768'],
  ['{#path,x}/here', '#/foo/bar,1024/here'],
  ['{.who}', '.fred'],
  ['www{.dom*}', 'www.example.com'],
  ['X{.empty}', 'X.'],
  ['X{.emptyKeys}', 'X'],
  ['{/var,empty}', '/value/'],
  ['{/var:1,var}', '/v/value'],
  ['{;x,y,empty}', ';x=1024;y=768;empty'],
  ['{;hello:5}', ';hello=Hello'],
  ['{?x,y,empty}', '?x=1024&y=768&empty='],
  ['{?keys*}', '?semi=%3B&dot=.&comma=%2C'],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
];

describe('a URI template', () => {
  verifies('CAT-06');

  it.each(EXAMPLES)('%s is expanded as the standard says', (template, expanded) => {
    expect(expandTemplate(template, VALUES)).toEqual({ ok: true, value: expanded });
  });

  it.each(EXAMPLES)('%s matches its expansion', (template, expanded) => {
    expect(fitsTemplate(template, expanded)).toBe(true);
  });

  it.each(['{', '}', '{}', 'a{b', 'a}b', '{a b}', '{a,}', '{!x}', '{a{b}}', '{x:0}', '{x:99999}'])(
    '%s is invalid',
    (template) => {
      expect(expandTemplate(template, {})).toMatchObject({
        ok: false,
        error: { kind: 'bad-template' },
      });
      expect([fitsTemplate(template, template), templateVariables(template)]).toEqual([false, []]);
    },
  );

  it('names its variables once each', () => {
    expect(templateVariables('a://{x}/{y*,x}{?z:3}')).toEqual(['x', 'y', 'z']);
  });

  it.each([
    ['memo://{id}', 'memo://7', true],
    ['memo://{id}', 'memo://a%20b', true],
    ['memo://{id}', 'memo://a/b', false],
    ['memo://{+id}', 'memo://a/b', true],
    ['memo://{id}/page', 'memo://7/page', true],
    ['memo://{id}/page', 'memo://7/pages', false],
    ['memo://{a}x{b}', 'memo://axbxc', true],
    ['memo://{+a}x{b}', 'memo://ax/bxc', true],
    ['memo://{id}', 'file:///etc/passwd', false],
    ['memo://{id}{?q}', 'memo://7?q=2', true],
    ['memo://{id}{?q}', 'memo://7', true],
  ])('%s and %s: %s', (template, uri, fits) => {
    expect(fitsTemplate(template, uri)).toBe(fits);
  });

  it('matches its expansion, whatever the values', () => {
    const template = fc
      .array(
        fc.oneof(
          fc.constantFrom('memo://', '/', '-', 'a'),
          fc.constantFrom('{x}', '{+y}', '{/x*}', '{?x,y}', '{;y*}', '{.x:2}', '{#y}'),
        ),
        { maxLength: 8 },
      )
      .map((pieces) => pieces.join(''));
    const value = fc.oneof(fc.string({ unit: codePoint }), fc.array(fc.string()));
    fc.assert(
      fc.property(template, value, value, (text, x, y) => {
        const expanded = expandTemplate(text, { x, y });
        expect(expanded.ok && fitsTemplate(text, expanded.value)).toBe(true);
      }),
    );
  });

  it.each([
    ['many adjacent expressions', '{a}'.repeat(64), 'x'.repeat(8000)],
    ['many reserved expressions', '{+a}'.repeat(64), '/'.repeat(8000)],
    ['nearly fitting literals', '{a}x'.repeat(60), `${'x'.repeat(8000)}!`],
    ['a hundred thousand expressions', '{a}'.repeat(100_000), 'x'],
    ['a long address', '{+a}', 'x'.repeat(10_000_000)],
  ])('takes negligible time for %s', async (_name, template, uri) => {
    const took = await processorMs(() => {
      fitsTemplate(template, uri);
      expandTemplate(template, { a: uri.slice(0, 100_000) });
    });
    expect(took).toBeLessThan(1000);
  });

  it('does not read inherited members of an object', () => {
    expect(expandTemplate('a://{constructor}{__proto__}', {})).toEqual({ ok: true, value: 'a://' });
  });

  it('is not expanded beyond the maximum length of an address', () => {
    expect(expandTemplate('{a}{a}', { a: 'x'.repeat(5000) })).toEqual({
      ok: false,
      error: { kind: 'too-long', limit: 8192 },
    });
  });
});
