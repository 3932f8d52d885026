import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemOfAnswer, problemOfRequest } from '../../src/inbound/sampling-check.ts';
import type {
  SampledMessage,
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
} from '../../src/protocol/index.ts';

const say = (text: string): SamplingContent => ({ kind: 'text', text });
const use = (id: string): SamplingContent => ({ kind: 'tool-use', id, name: 'look', input: {} });
const result = (toolUseId: string): SamplingContent => ({
  kind: 'tool-result',
  toolUseId,
  content: [],
  isError: false,
});
const user = (...content: readonly SamplingContent[]): SamplingMessage => ({
  role: 'user',
  content,
});
const assistant = (...content: readonly SamplingContent[]): SamplingMessage => ({
  role: 'assistant',
  content,
});
const tool = { name: 'look', inputSchema: { type: 'object' } };

function problemOf(
  messages: readonly SamplingMessage[],
  more: Partial<SamplingRequest> = {},
): string | undefined {
  return problemOfRequest({ messages, maxTokens: 10, ...more });
}

describe('a conversation in a sampling request', () => {
  it.each<[string, readonly SamplingMessage[]]>([
    ['one question', [user(say('hi'))]],
    ['a use and its result', [user(say('hi')), assistant(use('1')), user(result('1'))]],
    [
      'several uses at once, with words beside them',
      [user(say('hi')), assistant(say('hm'), use('1'), use('2')), user(result('2'), result('1'))],
    ],
    ['pictures and sounds', [user({ kind: 'image', data: 'AA==', mimeType: 'image/png' })]],
  ])('may be %s', (_, messages) => {
    expect(problemOf(messages)).toBeUndefined();
  });

  it.each<[string, readonly SamplingMessage[]]>([
    ['There is no message', []],
    ['Tool result missing in request', [assistant(use('1'))]],
    ['Tool result missing in request', [assistant(use('1')), user(say('and?'))]],
    ['Tool result missing in request', [assistant(use('1'), use('2')), user(result('1'))]],
    [
      'Tool results are mixed with other content',
      [assistant(use('1')), user(result('1'), say('!'))],
    ],
    [
      'Tool results must be in a message of the user',
      [assistant(use('1')), assistant(result('1'))],
    ],
    ['Only the assistant uses tools', [user(use('1')), user(result('1'))]],
    ['A tool result answers no use of a tool', [user(result('1'))]],
    ['A tool result answers no use of a tool', [assistant(use('1')), user(result('2'))]],
    ['Two uses of tools have one id', [assistant(use('1'), use('1')), user(result('1'))]],
    [
      'Two uses of tools have one id',
      [assistant(use('1')), user(result('1')), assistant(use('1')), user(result('1'))],
    ],
  ])('is refused: %s', (problem, messages) => {
    expect(problemOf(messages)).toBe(problem);
  });

  it('is refused if its tools are invalid', () => {
    expect([
      problemOf([user(say('hi'))], { tools: [tool, tool] }),
      problemOf([user(say('hi'))], { toolChoice: 'required' }),
      problemOf([user(say('hi'))], { maxTokens: 0 }),
      problemOf(Array.from({ length: 1001 }, () => user(say('hi')))),
      problemOf([user(say('hi'))], {
        tools: Array.from({ length: 201 }, (_, index) => ({ ...tool, name: `look-${index}` })),
      }),
    ]).toEqual([
      'Two tools have one name',
      'A tool is required, and there is none',
      'maxTokens must be at least 1',
      'There are more than 1000 messages',
      'There are more than 200 tools',
    ]);
  });

  it('is valid only if every tool call has its result', () => {
    const rounds = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rounds, fc.nat(), (uses, which) => {
        const messages = uses.flatMap((count, round) => {
          const ids = Array.from({ length: count }, (_, index) => `${round}-${index}`);
          return [assistant(...ids.map(use)), user(...ids.map(result))];
        });
        expect(problemOf(messages)).toBeUndefined();
        const index = (which % uses.length) * 2 + 1;
        const broken = messages.with(index, user(...(messages[index]?.content.slice(1) ?? [])));
        expect(problemOf(broken)).toBe('Tool result missing in request');
      }),
    );
  });
});

describe('the answer of a sampling model', () => {
  const message = (...content: SampledMessage['content']): SampledMessage => ({
    content,
    model: 'm',
  });
  const uses = message({ kind: 'tool-use', id: '1', name: 'look', input: {} });
  const asked: SamplingRequest = { messages: [user(say('hi'))], maxTokens: 10 };

  it('may use only the offered tools, and only if allowed', () => {
    expect([
      problemOfAnswer(message({ kind: 'text', text: 'hi' }), asked),
      problemOfAnswer(uses, { ...asked, tools: [tool] }),
      problemOfAnswer(uses, asked),
      problemOfAnswer(uses, { ...asked, tools: [tool], toolChoice: 'none' }),
    ]).toEqual([
      undefined,
      undefined,
      'used a tool that was not offered',
      'used a tool, and may not',
    ]);
  });
});
