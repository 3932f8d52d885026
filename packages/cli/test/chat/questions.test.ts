import type { AskedPage, ElicitationAnswer } from '@plugboard/host';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../src/chat/chat.ts';
import { Questions } from '../../src/chat/questions.ts';

/** A page that the user agreed to visit, with the events and opened pages so far. */
function visiting(waitsFor: AskedPage['waitsFor'], first: ElicitationAnswer = { kind: 'accept' }) {
  const shown: string[] = [];
  const finished = new AbortController();
  const abandoned = new AbortController();
  const questions = new Questions((event: ChatEvent) => {
    if (event.kind === 'question') shown.push(`${event.id}: ${event.request.question.kind}`);
    else if (event.kind === 'closed') shown.push(`${event.id} closed`);
    else if (event.kind === 'notice') shown.push(event.notice.text);
  });
  const question: AskedPage = {
    kind: 'url',
    message: 'Pay',
    url: 'https://pay.example/',
    host: 'pay.example',
    readsAs: undefined,
    warnings: [],
    waitsFor,
    finished: finished.signal,
  };
  const answered = questions.elicit(
    { server: 'shop', question, signal: abandoned.signal },
    ({ url }) => Promise.resolve({ level: 'info', text: `opened ${url}` }),
  );
  questions.answer('question-1', first);
  return { shown, finished, abandoned, questions, answered };
}

const OPENED = ['question-1: url', 'question-1 closed', 'opened https://pay.example/'];

describe('a page that the user agrees to visit', () => {
  it('is opened, and the question ends if consent is enough', async () => {
    const { shown, answered } = visiting('consent');
    expect(await answered).toEqual({ kind: 'accept' });
    expect(shown).toEqual(OPENED);
  });

  it('is finished when the server reports it', async () => {
    const { shown, answered, finished } = visiting('done');
    await expect.poll(() => shown.at(-1)).toBe('question-2: form');
    finished.abort();
    expect(await answered).toEqual({ kind: 'accept' });
    expect(shown).toEqual([...OPENED, 'question-2: form', 'question-2 closed']);
  });

  it('is finished when the user reports it', async () => {
    const { shown, answered, questions } = visiting('done');
    await expect.poll(() => shown.at(-1)).toBe('question-2: form');
    questions.answer('question-2', { kind: 'accept', content: {} });
    expect(await answered).toEqual({ kind: 'accept' });
  });

  it('is cancelled with the turn', async () => {
    const { shown, answered, abandoned } = visiting('done');
    await expect.poll(() => shown.at(-1)).toBe('question-2: form');
    abandoned.abort();
    expect(await answered).toEqual({ kind: 'cancel' });
  });
});

describe('a page that the user refuses to visit', () => {
  it.each(['decline', 'cancel'] as const)('is not opened: %s', async (kind) => {
    const { shown, answered } = visiting('done', { kind });
    expect(await answered).toEqual({ kind });
    expect(shown).toEqual(['question-1: url', 'question-1 closed']);
  });
});
