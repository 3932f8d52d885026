// References in place of repeated answers, only to answers that the model can still read.

import { canonicalJson } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Message,
  type ToolAnswer,
  type ToolMessage,
  wholeConversation,
  withoutReferences,
  withReferences,
} from '../../src/conversation/index.ts';
import { assistant, call, user } from '../scripted-model.ts';

const LONG = 'a line of a listing\n'.repeat(40);
const OTHER = 'a line of something else\n'.repeat(40);

function answered(id: string, text: string, more: Partial<ToolAnswer> = {}): ToolMessage {
  const parts = [{ kind: 'text', text }] as const;
  return { kind: 'tool', answers: [{ id, tool: 'read', isError: false, parts, ...more }] };
}

type Round = readonly [id: string, given: object, answer: ToolMessage];

/** Calls one after another, each with its answer. */
function talk(...rounds: readonly Round[]): readonly Message[] {
  return [
    user('go'),
    ...rounds.flatMap(([id, given, answer]): readonly Message[] => [
      assistant(call(id, 'read', { ...given })),
      answer,
    ]),
  ];
}

/** The calls whose answers refer to another one. */
function references(messages: readonly Message[]): readonly string[] {
  return messages
    .flatMap((message) => (message.kind === 'tool' ? message.answers : []))
    .flatMap(({ id, repeats }) => (repeats === undefined ? [] : `${id} -> ${repeats}`));
}

describe('an answer that repeats the last one of the same call', () => {
  it('names that call and the length of the answer, whatever the order of the arguments', () => {
    verifies('OUT-10');
    const messages = withReferences(
      talk(
        ['1', { path: 'a', depth: 2 }, answered('1', LONG)],
        ['2', { depth: 2, path: 'a' }, answered('2', LONG)],
        ['3', { path: 'a', depth: 2 }, answered('3', LONG)],
      ),
    );
    const said =
      '[The call was made. Its result is the same, character for character, as that of the last call of read with these arguments above (call 1, 800 characters).]';
    expect(messages[4]).toEqual(answered('2', said, { repeats: '1' }));
    expect(references(messages)).toEqual(['2 -> 1', '3 -> 1']);
  });

  it('refers to an answer of the same message', () => {
    const answers = ['1', '2'].flatMap((id) => answered(id, LONG).answers);
    const messages = withReferences([
      user('go'),
      assistant(call('1', 'read'), call('2', 'read')),
      { kind: 'tool', answers },
    ]);
    expect(references(messages)).toEqual(['2 -> 1']);
  });

  it.each<[string, readonly Round[]]>([
    [
      'the arguments differ',
      [
        ['1', { path: 'a' }, answered('1', LONG)],
        ['2', { path: 'b' }, answered('2', LONG)],
      ],
    ],
    [
      'one character differs',
      [
        ['1', {}, answered('1', LONG)],
        ['2', {}, answered('2', `${LONG}.`)],
      ],
    ],
    [
      'another answer came between',
      [
        ['1', {}, answered('1', LONG)],
        ['2', {}, answered('2', OTHER)],
        ['3', {}, answered('3', LONG)],
      ],
    ],
    [
      'it is short',
      [
        ['1', {}, answered('1', 'done')],
        ['2', {}, answered('2', 'done')],
      ],
    ],
    [
      'it is an error',
      [
        ['1', {}, answered('1', LONG, { isError: true })],
        ['2', {}, answered('2', LONG, { isError: true })],
      ],
    ],
    [
      'its call has the same id',
      [
        ['1', {}, answered('1', LONG)],
        ['1', {}, answered('1', LONG)],
      ],
    ],
    [
      'another call took the id',
      [
        ['1', {}, answered('1', LONG)],
        ['1', { path: 'b' }, answered('1', OTHER)],
        ['2', {}, answered('2', LONG)],
      ],
    ],
  ])('is sent in full where %s', (_, rounds) => {
    verifies('OUT-10');
    const messages = talk(...rounds);
    expect(withReferences(messages)).toEqual(messages);
  });

  it('is sent in full with its picture', () => {
    const picture = { kind: 'image', mediaType: 'image/png', data: 'A'.repeat(4000) } as const;
    const seen = { parts: [{ kind: 'text', text: LONG } as const, picture] };
    const messages = talk(['1', {}, answered('1', '', seen)], ['2', {}, answered('2', '', seen)]);
    expect(withReferences(messages)).toEqual(messages);
  });

  it('is replaced by a note if a damaged transcript has lost the original', () => {
    const messages = withReferences(
      talk(['1', {}, answered('1', LONG)], ['2', {}, answered('2', LONG)]),
    );
    const [first, , , ...rest] = messages;
    const lost = wholeConversation([...(first ? [first] : []), ...rest]);
    expect(references(lost)).toEqual([]);
    expect(canonicalJson(lost as never)).toContain('not kept any more');
  });
});

const round = fc.record({
  id: fc.constantFrom('1', '2', '3', '4', '5', '6'),
  given: fc.constantFrom({ path: 'a', n: 1 }, { n: 1, path: 'a' }, { path: 'b' }),
  text: fc.constantFrom(LONG, OTHER, 'short'),
  isError: fc.boolean(),
});

it('references lose nothing, and always point to an earlier answer in full', () => {
  verifies('OUT-10');
  const law = fc.property(fc.array(round, { maxLength: 12 }), (rounds) => {
    const messages = talk(
      ...rounds.map(({ id, given, text, isError }) => {
        return [id, given, answered(id, text, { isError })] as const;
      }),
    );
    const made = withReferences(messages);
    expect(withoutReferences(made)).toEqual(messages);
    expect(withReferences(made)).toEqual(made);
    expect(wholeConversation(made)).toEqual(made);
    const above = new Map<string, ToolAnswer>();
    for (const message of made) {
      for (const answer of message.kind === 'tool' ? message.answers : []) {
        if (answer.repeats !== undefined) {
          expect(above.get(answer.repeats)).toMatchObject({
            parts: [{ text: expect.any(String) }],
          });
          expect(above.get(answer.repeats)?.repeats).toBeUndefined();
        }
        above.set(answer.id, answer);
      }
    }
  });
  fc.assert(law);
});
