// Conversations that are compacted to fit the context window.

import { never } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Compactor } from '../../src/compact/index.ts';
import { type Message, withReferences } from '../../src/conversation/index.ts';
import { assistant, call, says, scriptedModel, type Step, user } from '../scripted-model.ts';
import { problemsOf } from '../valid-conversation.ts';

const beside = { system: '', tools: [] };

function answered(id: string, text: string): Message {
  const parts = [{ kind: 'text', text }] as const;
  return { kind: 'tool', answers: [{ id, tool: 'read', isError: false, parts }] };
}

function withResult(message: Message): Message {
  if (message.kind !== 'tool') return message;
  const results = [{ id: 'r1', path: '/tmp/r/1.txt', bytes: 9, mimeType: 'text/plain' }];
  return { ...message, answers: message.answers.map((answer) => ({ ...answer, results })) };
}

/** A number of turns, each with a question, a call with a long answer, and a reply. */
function long(rounds: number, length: number): readonly Message[] {
  return Array.from({ length: rounds }, (_, index): readonly Message[] => [
    user(`question ${index}`),
    assistant(call(`${index}`, 'read', { path: `src/file-${index}.ts` })),
    answered(`${index}`, 'x'.repeat(length)),
    assistant({ kind: 'text', text: `answer ${index}` }),
  ]).flat();
}

describe('a conversation that nears the context limit of its model', () => {
  it('is left unchanged while there is room', async () => {
    const model = scriptedModel([]);
    const compactor = new Compactor({ model, contextShare: 0.8 });
    expect(await compactor.ifNeeded(long(3, 100), beside, never)).toBeUndefined();
  });

  it('has its old tool results shortened first, without a request to the model', async () => {
    verifies('AGT-07');
    const model = scriptedModel([], { contextTokens: 10_000 });
    const compactor = new Compactor({ model, contextShare: 0.8 });
    const messages = long(12, 3000);
    const made = await compactor.ifNeeded(messages, beside, never);
    expect(model.requests).toEqual([]);
    expect(made?.messages).toHaveLength(messages.length);
    expect(problemsOf(made?.messages ?? [])).toEqual([]);
    expect(made?.tokensAfter).toBeLessThan((made?.tokensBefore ?? 0) * 0.7);
    expect(made?.messages.slice(-2)).toEqual(messages.slice(-2));
  });

  it('is replaced by a summary that names the files in use, and keeps its latest messages', async () => {
    verifies('AGT-07');
    const model = scriptedModel([says('The user asked 60 questions.')], { contextTokens: 4000 });
    const compactor = new Compactor({ model, contextShare: 0.8 });
    const saved = withResult(answered('0', '[cut]'));
    const messages = [...long(1, 10).slice(0, 2), saved, ...long(60, 300).slice(4)];
    const made = await compactor.ifNeeded(messages, beside, never);
    expect(problemsOf(made?.messages ?? [])).toEqual([]);
    expect(made?.messages.at(-1)).toEqual(messages.at(-1));
    expect(made?.usage).toBeDefined();
    const [notes] = made?.messages ?? [];
    const text = JSON.stringify(notes);
    expect(text).toContain('The user asked 60 questions.');
    expect(text).toContain('src/file-30.ts (read)');
    expect(model.requests[0]?.system).toContain('Tasks that are open');
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('question 0');
  });

  it('sends again in full what its latest messages only referred to', async () => {
    verifies('OUT-10');
    const text = 'a line of a listing\n'.repeat(100);
    const listing = (id: string): readonly Message[] => [
      assistant(call(id, 'read', { path: 'docs' })),
      answered(id, text),
    ];
    const messages = withReferences([
      user('go'),
      ...listing('first'),
      ...long(10, 3000),
      ...listing('again'),
      ...listing('last'),
    ]);
    expect(messages.slice(-3)).toMatchObject([
      { answers: [{ id: 'again', repeats: 'first' }] },
      {},
      { answers: [{ id: 'last', repeats: 'first' }] },
    ]);
    for (const [contextTokens, requests] of [
      [10_000, 0],
      [6000, 1],
    ] as const) {
      const model = scriptedModel([says('notes')], { contextTokens });
      const compactor = new Compactor({ model, contextShare: 0.8 });
      const made = await compactor.smaller(messages, beside, never);
      expect(model.requests).toHaveLength(requests);
      expect(made?.messages.slice(-3)).toEqual([
        answered('again', text),
        assistant(call('last', 'read', { path: 'docs' })),
        { kind: 'tool', answers: [expect.objectContaining({ id: 'last', repeats: 'again' })] },
      ]);
    }
  });

  it('keeps what earlier summaries named', async () => {
    const model = scriptedModel([says('first notes'), says('second notes')], {
      contextTokens: 3000,
    });
    const compactor = new Compactor({ model, contextShare: 0.8 });
    const saved = withResult(answered('s', '[cut]'));
    const begin = [user('go'), assistant(call('s', 'read')), saved];
    const once = await compactor.smaller([...begin, ...long(10, 300)], beside, never);
    const chat = Array.from({ length: 60 }, (_, index) => user(`words ${index} ${'y'.repeat(99)}`));
    const twice = await compactor.smaller([...(once?.messages ?? []), ...chat], beside, never);
    expect(JSON.stringify(twice?.messages[0])).toContain('/tmp/r/1.txt (result of read, id r1)');
  });

  it('is measured by the token count of the model, if there is one', async () => {
    const model = scriptedModel([says('notes')], { contextTokens: 10_000 });
    const compactor = new Compactor({ model, contextShare: 0.8 });
    const messages = long(20, 300);
    expect(await compactor.ifNeeded(messages, beside, never)).toBeUndefined();
    compactor.measured(messages.length - 1, {
      ...{ inputTokens: 9000, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 },
    });
    expect(await compactor.ifNeeded(messages, beside, never)).toMatchObject({ tokensBefore: 9010 });
  });

  it('is shortened without a summary when the model returns none', async () => {
    const failure = { kind: 'overloaded', message: 'busy' } as const;
    const failing: Step = { kind: 'fails', failure };
    const model = scriptedModel([failing], { contextTokens: 4000 });
    const compactor = new Compactor({ model, contextShare: 0.8 });
    const made = await compactor.ifNeeded(long(60, 300), beside, never);
    expect(problemsOf(made?.messages ?? [])).toEqual([]);
    expect(JSON.stringify(made?.messages[0])).toContain('question 0');
    expect(made?.tokensAfter).toBeLessThan(made?.tokensBefore ?? 0);
  });
});

it('compaction of any valid conversation yields a valid one that begins with the user and keeps its end', async () => {
  const words = fc.string({ maxLength: 2000 });
  const round = fc
    .record({ asked: words, calls: fc.array(words, { maxLength: 3 }), said: words })
    .map(({ asked, calls, said }, index = 0) => ({ asked, calls, said, index }));
  const conversation = fc.array(round, { minLength: 1, maxLength: 30 }).map((rounds) =>
    rounds.flatMap(({ asked, calls, said }, index): readonly Message[] => {
      const made = calls.map((_, at) => call(`${index}.${at}`, 'read', { path: `f${at}` }));
      const answers = calls.map((text, at) => ({
        ...{ id: `${index}.${at}`, tool: 'read', isError: false },
        parts: [{ kind: 'text', text } as const],
      }));
      const between: readonly Message[] =
        made.length === 0 ? [] : [assistant(...made), { kind: 'tool', answers }];
      return [user(`q${asked}`), ...between, assistant({ kind: 'text', text: `a${said}` })];
    }),
  );
  await fc.assert(
    fc.asyncProperty(
      conversation,
      fc.integer({ min: 200, max: 20_000 }),
      async (messages, size) => {
        expect(problemsOf(messages)).toEqual([]);
        const model = scriptedModel(() => says('notes'), { contextTokens: size });
        const compactor = new Compactor({ model, contextShare: 0.8 });
        const made = await compactor.smaller(messages, beside, never);
        if (made === undefined) return;
        expect(problemsOf(made.messages)).toEqual([]);
        expect(made.messages.at(-1)).toEqual(messages.at(-1));
        expect(made.tokensAfter).toBeLessThan(made.tokensBefore);
      },
    ),
    { numRuns: 200 },
  );
});
