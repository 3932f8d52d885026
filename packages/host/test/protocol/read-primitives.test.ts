import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readCompletion,
  readFilledPrompt,
  readPromptPage,
  readResourcePage,
  readResourceReading,
  readTemplatePage,
} from '../../src/protocol/read-primitives.ts';

const reasonOfFirst = (read: ReturnType<typeof readResourcePage>): string | undefined =>
  read.ok ? read.value.rejected[0]?.reason : read.error;

const many = <T>(length: number, item: T): readonly T[] => Array.from({ length }, () => item);

describe('a list of resources', () => {
  it.each([
    [{}, 'has no uri'],
    [{ uri: 7, name: 'x' }, 'has no uri'],
    [{ uri: 'memo://a\u001B[2J', name: 'x' }, 'has control characters in its uri'],
    [{ uri: 'memo://a\nb', name: 'x' }, 'has control characters in its uri'],
    [{ uri: 'memo://a\u2028b', name: 'x' }, 'has control characters in its uri'],
    [{ uri: `memo://${'a'.repeat(9000)}`, name: 'x' }, 'has a uri that is too long'],
    ['text', 'is not an object'],
  ])('leaves out %j and keeps its neighbours', (broken, reason) => {
    const read = readResourcePage({ resources: [broken, { uri: 'memo://ok', name: 'ok' }] });
    expect(reasonOfFirst(read)).toBe(reason);
    expect(read.ok && read.value.items).toEqual([{ uri: 'memo://ok', name: 'ok' }]);
  });

  it('contains only fields of the right type', () => {
    const raw = { uri: 'memo://a', name: 3, title: [], description: {}, mimeType: 1, size: -1 };
    const read = readResourcePage({ resources: [raw] });
    expect(read.ok && read.value.items).toEqual([{ uri: 'memo://a', name: 'memo://a' }]);
  });
});

describe('a list of templates', () => {
  it.each([
    [`memo://${'{a}'.repeat(100_000)}`, 'has a template that is too long'],
    [`memo://${'{a}'.repeat(65)}`, 'has a template with too many expressions'],
    ['memo://\u0007{a}', 'has control characters in its template'],
    ['', 'has no uriTemplate'],
  ])('leaves out invalid templates: %#', (uriTemplate, reason) => {
    const read = readTemplatePage({ resourceTemplates: [{ uriTemplate, name: 'x' }] });
    expect(read.ok && read.value.rejected[0]?.reason).toBe(reason);
  });
});

describe('a list of prompts', () => {
  it.each([
    [{ name: '' }, 'has no name, or one that is too long'],
    [{ name: 'n'.repeat(2000) }, 'has no name, or one that is too long'],
    [{ name: 'a', arguments: {} }, 'has arguments that are not a list'],
    [{ name: 'a', arguments: [{}] }, 'has an argument without name'],
    [{ name: 'a', arguments: many(101, { name: 'x' }) }, 'has too many arguments'],
  ])('leaves out invalid prompts: %#', (prompt, reason) => {
    const read = readPromptPage({ prompts: [prompt] });
    expect(read.ok && read.value.rejected[0]?.reason).toBe(reason);
  });
});

describe('an answer about resources or prompts', () => {
  it('with a million messages or parts is refused', () => {
    const message = { role: 'user', content: { type: 'text', text: '' } };
    expect(readFilledPrompt({ messages: many(1_000_000, message) })).toEqual({
      ok: false,
      error: 'there are more than 10000 messages',
    });
    const part = { uri: 'memo://a', text: '' };
    expect(readResourceReading({ contents: many(1_000_000, part) })).toEqual({
      ok: false,
      error: '`contents` has more than 10000 parts',
    });
  });

  it('with a million completions is cut', () => {
    const read = readCompletion({ completion: { values: Array(1_000_000).fill('a') } });
    expect(read.ok && [read.value.values.length, read.value.hasMore]).toEqual([100, true]);
  });

  it.each([
    [{ role: 'system', content: { type: 'text', text: 'x' } }, 'messages[0] has no sound role'],
    [
      { role: 'user', content: { type: 'hologram' } },
      'messages[0] is of an unknown type "hologram"',
    ],
    [{ role: 'user' }, 'messages[0] is not an object'],
  ])('with a broken message is refused', (message, error) => {
    expect(readFilledPrompt({ messages: [message] })).toEqual({ ok: false, error });
  });

  it('of any shape is accepted or refused, and never throws', () => {
    const readers = [
      readResourcePage,
      readTemplatePage,
      readPromptPage,
      readResourceReading,
      readFilledPrompt,
      readCompletion,
    ];
    fc.assert(
      fc.property(fc.constantFrom(...readers), fc.jsonValue(), (read, raw) => {
        expect(typeof read(raw).ok).toBe('boolean');
      }),
    );
  });
});
