import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@plugboard/base';
import { bytesOf } from '../../../src/parts/result/media.ts';
import { type Part, splitResult } from '../../../src/parts/result/result-parts.ts';
import { tableOf } from '../../../src/parts/result/table.ts';
import { treeRows } from '../../../src/parts/result/tree-rows.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

function parts(...content: readonly Json[]): readonly Part[] {
  return splitResult({ content }).groups.flatMap((group) => group.parts);
}

describe('a result of a tool', () => {
  it('has a part for each block', () => {
    expect(
      parts(
        { type: 'text', text: '<b>hi</b>' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        { type: 'resource_link', uri: 'file:///a', name: 'a', description: 'A' },
        { type: 'resource', resource: { uri: 'file:///b', mimeType: 'text/plain', text: 'b' } },
        { type: 'future', what: 1 },
      ),
    ).toEqual([
      { kind: 'text', text: '<b>hi</b>' },
      { kind: 'media', media: { kind: 'image', type: 'image/png', size: 68, data: PNG } },
      { kind: 'link', uri: 'file:///a', name: 'a', description: 'A', type: undefined },
      {
        kind: 'resource',
        uri: 'file:///b',
        type: 'text/plain',
        content: { kind: 'text', text: 'b' },
      },
      { kind: 'tree', value: { type: 'future', what: 1 }, table: undefined },
    ]);
  });

  it('shows structured content once if a text repeats it', () => {
    const structuredContent = { rows: [{ a: 1 }, { a: 2, b: 'x' }] };
    const text = JSON.stringify(structuredContent, null, 2);
    const { groups } = splitResult({ content: [{ type: 'text', text }], structuredContent });
    expect(groups).toEqual([
      {
        title: 'Structured content',
        parts: [
          {
            kind: 'tree',
            value: structuredContent,
            table: {
              columns: ['a', 'b'],
              rows: [
                ['1', ''],
                ['2', 'x'],
              ],
              hidden: 0,
            },
          },
        ],
      },
    ]);
  });

  it('is an error if it says so', () => {
    expect(splitResult({ content: [], isError: true }).isError).toBe(true);
    expect(splitResult({ content: [], isError: 'yes' }).isError).toBe(false);
  });

  it('has at most five hundred parts', () => {
    const content = Array.from({ length: 700 }, () => ({ type: 'text', text: 'x' }));
    const shown = splitResult({ content });
    expect(shown.groups[0]?.parts.length).toBe(500);
    expect(shown.hidden).toBe(200);
  });

  it('may be any JSON', () => {
    fc.assert(
      fc.property(
        fc.object({
          key: fc.constantFrom(
            'content',
            'type',
            'text',
            'resource',
            'messages',
            'contents',
            'structuredContent',
            'data',
            'mimeType',
            '__proto__',
          ),
        }),
        (result) => {
          expect(() => splitResult(result as JsonObject)).not.toThrow();
        },
      ),
    );
  });
});

describe('pictures and sounds of a result', () => {
  it.each([
    [
      'image/svg+xml',
      base64('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      'data of this type is not shown',
    ],
    ['text/html', base64('<script>alert(1)</script>'), 'data of this type is not shown'],
    [
      'image/png',
      base64('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'its bytes are of another type',
    ],
    ['image/png', 'not base64!', 'it is not base64'],
    ['image/png', '', 'its bytes are of another type'],
    ['__proto__', PNG, 'data of this type is not shown'],
  ])('of type %s are not drawn from %s', (mimeType, data, reason) => {
    expect(parts({ type: 'image', data, mimeType })).toMatchObject([{ kind: 'data', reason }]);
  });

  it('are drawn from their bytes, with the checked type', () => {
    const [part] = parts({ type: 'image', data: PNG, mimeType: 'IMAGE/PNG; charset=x' });
    expect(part).toMatchObject({ kind: 'media', media: { type: 'image/png' } });
    expect(part?.kind === 'media' && bytesOf(part.media)?.length).toBe(68);
  });

  it('are not drawn above twenty megabytes', () => {
    const data = PNG.slice(0, 32) + 'A'.repeat(28 * 1024 * 1024);
    expect(parts({ type: 'image', data, mimeType: 'image/png' })).toMatchObject([
      { kind: 'data', reason: 'it is too large to show' },
    ]);
  });
});

describe('results of resources and prompts', () => {
  it('show each content of a resource with its address', () => {
    const { groups } = splitResult({
      contents: [{ uri: 'a:b', blob: PNG, mimeType: 'image/png' }],
    });
    expect(groups[0]?.parts).toMatchObject([
      { kind: 'resource', uri: 'a:b', content: { kind: 'media' } },
    ]);
  });

  it('show the messages of a prompt with their roles', () => {
    const { groups } = splitResult({
      description: 'About',
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
    });
    expect(groups).toEqual([
      { title: undefined, parts: [{ kind: 'text', text: 'About' }] },
      { title: 'user', parts: [{ kind: 'text', text: 'Hello' }] },
    ]);
  });
});

describe('a table', () => {
  it('is made only of flat objects', () => {
    expect(tableOf([{ a: 1 }, { a: { b: 1 } }])).toBeUndefined();
    expect(tableOf([1, 2])).toBeUndefined();
    expect(tableOf([{}])).toBeUndefined();
    expect(tableOf(JSON.parse('[{"__proto__": 1}]') as Json)).toEqual({
      columns: ['__proto__'],
      rows: [['1']],
      hidden: 0,
    });
  });
});

describe('the rows of a tree', () => {
  const value = { a: [1, { b: null }], c: 'x' };

  it('are the unfolded ones', () => {
    const rows = treeRows(value, { openDepth: 1, toggled: new Set(['/a']) });
    expect(rows.map(({ id, depth, text }) => `${depth} ${id} ${text}`)).toEqual([
      '0  2 properties',
      '1 /a 2 items',
      '2 /a/0 1',
      '2 /a/1 1 property',
      '1 /c x',
    ]);
  });

  it('are a single one while the value is folded', () => {
    expect(treeRows(value, { openDepth: 1, toggled: new Set(['']) })).toHaveLength(1);
  });
});
