import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sizeOf } from '../../../src/protocol/trace/size-of.ts';

describe('the size of a message', () => {
  it('is that of its JSON if no character needs an escape', () => {
    const plain = fc.stringMatching(/^[A-Za-z0-9 ]*$/);
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { depthSize: 'small' },
        fc.constant(null),
        fc.boolean(),
        fc.integer(),
        plain,
        fc.array(tie('json')),
        fc.dictionary(plain, tie('json')),
      ),
    }));
    fc.assert(
      fc.property(json, (value) => {
        expect(sizeOf(value)).toBe(JSON.stringify(value).length);
      }),
    );
  });

  it('leaves out what JSON leaves out', () => {
    expect(sizeOf({ a: undefined, b: 1 })).toBe('{"b":1}'.length);
  });
});
