import { describe, expect, it } from 'vitest';
import { Desk } from '../../src/chat/desk.ts';

function open(signal: AbortSignal) {
  const desk = new Desk<string>('q');
  const seen: string[] = [];
  const asked = desk.ask({
    signal,
    unanswered: 'nobody',
    open: (id) => seen.push(`open ${id}`),
    closed: (id) => seen.push(`closed ${id}`),
  });
  return { desk, seen, asked };
}

describe('a question on the desk', () => {
  it('receives the answer with its id, once', async () => {
    const { desk, seen, asked } = open(new AbortController().signal);
    desk.answer('q1', 'yes');
    desk.answer('q1', 'no');
    expect(await asked).toBe('yes');
    expect(seen).toEqual(['open q1', 'closed q1']);
  });

  it('is closed when its caller aborts', async () => {
    const abort = new AbortController();
    const { seen, asked } = open(abort.signal);
    abort.abort();
    expect(await asked).toBe('nobody');
    expect(seen).toEqual(['open q1', 'closed q1']);
  });

  it('is never shown when its caller has already aborted', async () => {
    const { seen, asked } = open(AbortSignal.abort());
    expect(await asked).toBe('nobody');
    expect(seen).toEqual([]);
  });
});
