import { describe, expect, it } from 'vitest';
import { answerAndNotes } from '../../src/print/result-notes.ts';

describe('a result and the notes of the host', () => {
  it('are separated, so that a program receives only the result', () => {
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
