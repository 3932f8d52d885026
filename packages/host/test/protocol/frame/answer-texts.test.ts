import { describe, expect, it } from 'vitest';
import { AnswerTexts } from '../../../src/protocol/frame/answer-texts.ts';
import { MAX_MESSAGE_BYTES } from '../../../src/protocol/frame/limits.ts';

function answer(id: number): { jsonrpc: '2.0'; id: number; result: { said: number } } {
  return { jsonrpc: '2.0', id, result: { said: id } };
}

describe('the texts of answers over HTTP', () => {
  it('are returned once, with the result that was parsed from them', () => {
    const texts = new AnswerTexts();
    texts.want();
    texts.note(answer(1), 'first');
    texts.note(answer(1), 'second');
    expect(texts.take(1)).toEqual({ result: { said: 1 }, line: 'second' });
    expect(texts.take(1)).toBeUndefined();
  });

  it('are not kept before they are requested', () => {
    const texts = new AnswerTexts();
    texts.note(answer(1), 'first');
    expect(texts.take(1)).toBeUndefined();
  });

  it('that are never taken are limited to the size of one message in total', () => {
    const texts = new AnswerTexts();
    texts.want();
    const long = 'x'.repeat(MAX_MESSAGE_BYTES / 4);
    for (const id of [1, 2, 3, 4, 5]) texts.note(answer(id), long);
    const kept = [1, 2, 3, 4, 5].filter((id) => texts.take(id) !== undefined);
    expect(kept).toEqual([5]);
  });
});
