import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeFrame, FrameReader, textFrame } from '../src/scripted-ws-server/frames.ts';

/** The same frame as a client sends it: masked. */
function masked(frame: Buffer, mask: Buffer): Buffer {
  const short = (frame[1] ?? 0) & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  const head = Buffer.from(frame.subarray(0, start));
  head[1] = (head[1] ?? 0) | 0x80;
  const payload = frame.subarray(start).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([head, mask, payload]);
}

describe('the frames of a scripted WebSocket server', () => {
  it('are read however they are cut into pieces', () => {
    const texts = fc.array(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('x'.repeat(126), 'y'.repeat(70_000)),
      ),
      { maxLength: 4 },
    );
    const mask = fc.uint8Array({ minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(texts, mask, fc.integer({ min: 1, max: 5000 }), (said, key, size) => {
        const frames = [...said.map(textFrame), closeFrame(1001)];
        const wire = Buffer.concat(frames.map((frame) => masked(frame, Buffer.from(key))));
        const reader = new FrameReader();
        const read = Array.from({ length: Math.ceil(wire.length / size) }, (_, index) =>
          reader.push(wire.subarray(index * size, (index + 1) * size)),
        ).flat();
        expect(read).toEqual([
          ...said.map((text) => ({ kind: 'message', text })),
          { kind: 'close', code: 1001 },
        ]);
      }),
      { numRuns: 50 },
    );
  });
});
