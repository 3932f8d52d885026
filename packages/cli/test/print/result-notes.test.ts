import { describe, expect, it } from 'vitest';
import { answerAndNotes } from '../../src/print/result-notes.ts';

describe('an answer and what the host says about it', () => {
  it('are told apart, so that a program that reads the answer gets nothing else', () => {
    expect(
      answerAndNotes([
        { kind: 'text', text: 'hello' },
        { kind: 'structured', value: 3, problems: [{ path: '', message: 'must be object' }] },
        { kind: 'note', text: 'something is left out' },
      ]),
    ).toEqual({
      parts: [
        { kind: 'text', text: 'hello' },
        { kind: 'structured', value: 3 },
      ],
      answer: 'hello\n3',
      notes: [
        "the result is not what the tool's output schema promises: must be object",
        'something is left out',
      ],
    });
  });
});
