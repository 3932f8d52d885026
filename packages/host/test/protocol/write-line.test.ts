import { Writable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeLine } from '../../src/protocol/frame/write-line.ts';

/** A stream that records each write that reaches its other end. */
function notedWrites(options: { readonly highWaterMark?: number } = {}) {
  const writes: string[] = [];
  const stream = new Writable({
    ...options,
    decodeStrings: false,
    write(chunk: string, _, done) {
      writes.push(chunk);
      done();
    },
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => chunk as string).join(''));
      done();
    },
  });
  return { stream, writes };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

describe('lines on a stream', () => {
  it('are written together if they are sent at once', async () => {
    const { stream, writes } = notedWrites();
    for (const line of ['a\n', 'b\n', 'c\n']) writeLine(stream, line);
    await nextTurn();
    expect(writes).toEqual(['a\nb\nc\n']);
  });

  it('are written together if several events of one turn of the event loop send them', async () => {
    const { stream, writes } = notedWrites();
    await new Promise<void>((resolve) => {
      // Timers that are due at the same time run in one turn, and promises continue between them.
      for (const line of ['a\n', 'b\n', 'c\n']) setTimeout(() => writeLine(stream, line), 1);
      setTimeout(() => setImmediate(resolve), 1);
    });
    expect(writes).toEqual(['a\nb\nc\n']);
  });

  it('are written together if calls send them after answers that arrived in one read', async () => {
    const { stream, writes } = notedWrites();
    const answers = [Promise.resolve('a\n'), Promise.resolve('b\n'), Promise.resolve('c\n')];
    await Promise.all(answers.map(async (answer) => writeLine(stream, await answer)));
    await nextTurn();
    expect(writes).toEqual(['a\nb\nc\n']);
  });

  it('do not wait for lines that are sent later', async () => {
    const { stream, writes } = notedWrites();
    writeLine(stream, 'a\n');
    await nextTurn();
    writeLine(stream, 'b\n');
    await nextTurn();
    expect(writes).toEqual(['a\n', 'b\n']);
  });

  it('are written before the stream ends', async () => {
    const { stream, writes } = notedWrites();
    writeLine(stream, 'a\n');
    writeLine(stream, 'b\n');
    await new Promise<void>((resolve) => void stream.end(resolve));
    expect(writes).toEqual(['a\nb\n']);
  });

  it('are refused if the buffer of the stream is full', async () => {
    const { stream } = notedWrites({ highWaterMark: 4 });
    const drained = new Promise<void>((resolve) => void stream.once('drain', resolve));
    expect([writeLine(stream, 'a\n'), writeLine(stream, 'b\n')]).toEqual([true, false]);
    await drained;
    expect(writeLine(stream, 'c\n')).toBe(true);
  });

  it('arrive complete and in order, however they are sent', async () => {
    const step = fc.constantFrom('line', 'microtask', 'turn');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { stream, writes } = notedWrites();
        const sent: string[] = [];
        for (const next of steps) {
          if (next === 'microtask') await Promise.resolve();
          else if (next === 'turn') await nextTurn();
          else {
            sent.push(`${sent.length}\n`);
            writeLine(stream, sent.at(-1) ?? '');
          }
        }
        await new Promise<void>((resolve) => void stream.end(resolve));
        expect(writes.join('')).toBe(sent.join(''));
      }),
    );
  });
});
