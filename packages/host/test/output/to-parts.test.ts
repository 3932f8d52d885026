import { never, Scope } from '@plugboard/base';
import { scriptedServer, verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toParts, toText } from '../../src/output/index.ts';
import type { ToolResult } from '../../src/protocol/index.ts';
import { openOrThrow, stdioLaunch } from '../protocol/cells.ts';

const text = (words: string): ToolResult['content'][number] => ({ type: 'text', text: words });

describe('the parts of a result', () => {
  it('contain every kind of content that a real server sends', async () => {
    verifies('OUT-01');
    await using scope = new Scope();
    const session = await openOrThrow(stdioLaunch(scriptedServer()), scope);
    const parts = [];
    for (const name of ['echo', 'add', 'image', 'audio', 'resource']) {
      const given = { message: 'hi', a: 1, b: 2 };
      const answered = await session.callTool(
        { name, arguments: given },
        { signal: never, idleMs: 60_000, hardMs: 60_000 },
      );
      parts.push(...(answered.ok ? toParts(answered.value) : []));
    }
    expect(parts).toEqual([
      { kind: 'text', text: 'hi' },
      { kind: 'structured', value: { sum: 3 } },
      { kind: 'image', data: expect.any(String) as string, mimeType: 'image/png' },
      { kind: 'audio', data: expect.any(String) as string, mimeType: 'audio/wav' },
      {
        kind: 'resource',
        uri: 'scripted://notes/1',
        mimeType: 'text/plain',
        body: { kind: 'text', text: 'a note' },
      },
      { kind: 'link', uri: 'scripted://notes/2', name: 'note-2', mimeType: 'text/plain' },
    ]);
    expect(toText(parts)).toBe(
      [
        'hi',
        '{\n  "sum": 3\n}',
        '[image image/png, 70 bytes]',
        '[audio audio/wav, 44 bytes]',
        'a note',
        '[resource scripted://notes/2 text/plain]',
      ].join('\n'),
    );
  });

  it('do not repeat structured content that is also text, in any order of keys', () => {
    verifies('OUT-01');
    const result: ToolResult = {
      content: [text('{"b":[1,{"y":2,"x":1}],"a":1}'), text('and a word')],
      structuredContent: { a: 1, b: [1, { x: 1, y: 2 }] },
      isError: false,
    };
    expect(toParts(result)).toEqual([
      { kind: 'text', text: 'and a word' },
      { kind: 'structured', value: { a: 1, b: [1, { x: 1, y: 2 }] } },
    ]);
  });

  it.each<[string, readonly string[], ToolResult['structuredContent']]>([
    ['indented', [JSON.stringify({ a: [1, { b: 2 }] }, undefined, 4)], { a: [1, { b: 2 }] }],
    ['between spaces', [' \n{"a":1}\n'], { a: 1 }],
    ['a list', ['[1,2]'], [1, 2]],
    ['in several texts that are one JSON together', ['{"a":', '[1,', '2]}'], { a: [1, 2] }],
    ['in a text for each item', ['{"a":1}', '{"b":2}'], { result: [{ a: 1 }, { b: 2 }] }],
    ['in a text for each word', ['one', 'two'], { result: ['one', 'two'] }],
    ['said twice', ['{"a":1}', '{"a":1}'], { a: 1 }],
    ['a number that is wrapped', ['5'], { result: 5 }],
    ['a list that is wrapped', ['[1,{"a":2}]'], { result: [1, { a: 2 }] }],
    ['nothing that is wrapped', ['null'], { result: null }],
    ['a number under a name of its own', ['5'], { count: 5 }],
    ['a list under a name of its own', ['{"a":1}', '{"b":2}'], { rows: [{ a: 1 }, { b: 2 }] }],
  ])('do not repeat structured content that is %s', (_, texts, structuredContent = null) => {
    verifies('OUT-01');
    const content = texts.map(text);
    expect(toParts({ content, structuredContent, isError: false })).toEqual([
      { kind: 'structured', value: structuredContent },
    ]);
  });

  it.each(['result', 'content', 'anything'])(
    'contain the text, not the JSON, if the structured content only wraps it in "%s"',
    (key) => {
      verifies('OUT-01');
      const content = [text('two\nlines'), text('and a word')];
      const result: ToolResult = {
        content,
        structuredContent: { [key]: 'two\nlines' },
        isError: false,
      };
      expect(toParts(result)).toEqual([
        { kind: 'text', text: 'two\nlines' },
        { kind: 'text', text: 'and a word' },
      ]);
    },
  );

  it.each([
    ['said', 'said\n', 'said\n'],
    ['said\n', 'said', 'said\n'],
    ['said\n', 'said\r\n', 'said\r\n'],
  ])('contain of %j and %j the one with more line breaks', (inContent, wrapped, kept) => {
    verifies('OUT-01');
    const structuredContent = { content: wrapped };
    const parts = toParts({ content: [text(inContent)], structuredContent, isError: false });
    expect(parts).toEqual([{ kind: 'text', text: kept }]);
  });

  it.each([
    ['one after another', 'one, two'],
    ['on lines', 'one, \ntwo'],
  ])('contain several texts that the structured content wraps %s', (_, content) => {
    verifies('OUT-01');
    const texts = [text('one, '), text('two')];
    expect(toParts({ content: texts, structuredContent: { content }, isError: false })).toEqual([
      { kind: 'text', text: 'one, ' },
      { kind: 'text', text: 'two' },
    ]);
  });

  it('contain an image once if the structured content has the same block', () => {
    verifies('OUT-01');
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
    const structuredContent = { content: [{ mimeType: 'image/png', type: 'image', data: 'AAAA' }] };
    expect(toParts({ content: [image], structuredContent, isError: false })).toEqual([
      { kind: 'image', data: 'AAAA', mimeType: 'image/png' },
    ]);
  });

  it.each([
    [{ result: 'other' }],
    [{ result: 'said', more: 1 }],
    [{ outcome: 'said\n\n' }],
    [{ outcome: ' said' }],
    [{ result: ['said'] }],
  ])('contain both if %j is more than the text', (structuredContent) => {
    const parts = toParts({ content: [text('said')], structuredContent, isError: false });
    expect(parts).toEqual([
      { kind: 'text', text: 'said' },
      { kind: 'structured', value: structuredContent },
    ]);
  });

  it('contain text that differs from the structured content', () => {
    const result: ToolResult = {
      content: [text('{"a":2}'), text('[1]'), text('not json')],
      structuredContent: { a: 1 },
      isError: false,
    };
    expect(toParts(result)).toHaveLength(4);
  });

  it('lose nothing: without structured content there is a part for every block', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        const parts = toParts({ content: words.map(text), isError: false });
        expect(parts).toEqual(words.map((word) => ({ kind: 'text', text: word })));
      }),
    );
  });
});
