import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorAt, positionOf } from '../../src/server/tools/position-cursor.ts';
import { readMessage } from '../../src/server/wire/read-message.ts';

const LIMIT = 10_000;

describe('parsing a message', () => {
  it('has a result for every text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const read = readMessage(text, LIMIT);
        if (read.kind === 'read') return;
        expect([-32_700, -32_600]).toContain(read.reply.error.code);
      }),
    );
  });

  it('returns every valid request unchanged', () => {
    const request = fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.string(), fc.integer()),
      method: fc.string({ minLength: 1 }),
    });
    fc.assert(
      fc.property(request, (message) => {
        const text = JSON.stringify(message);
        expect(readMessage(text, LIMIT)).toEqual({
          kind: 'read',
          body: message,
          messages: [message],
        });
      }),
    );
  });

  it('refuses text that is too long before parsing it', () => {
    expect(readMessage(`"${'x'.repeat(LIMIT)}"`, LIMIT)).toMatchObject({
      reply: { id: null, error: { code: -32_600 } },
    });
  });
});

describe('a cursor', () => {
  it('returns to its position, and works only in its own list', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(), (list, other, position) => {
        const cursor = cursorAt(list, position);
        expect(positionOf(cursor, list)).toEqual({ ok: true, value: position });
        if (other !== list) expect(positionOf(cursor, other).ok).toBe(false);
      }),
    );
  });

  it('is refused when the server did not issue it', () => {
    fc.assert(
      fc.property(fc.string(), (cursor) => {
        expect(positionOf(cursor, 'list').ok).toBe(false);
      }),
    );
  });
});
