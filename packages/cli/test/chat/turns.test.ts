import type { AgentEvent, UserMessage } from '@plugboard/agent';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../src/chat/chat.ts';
import { Turns } from '../../src/chat/turns.ts';

const saying = (text: string): UserMessage => ({ kind: 'user', parts: [{ kind: 'text', text }] });

/** Turns with a model that answers only when the test allows it. */
function started() {
  const events: ChatEvent[] = [];
  const running: { readonly end: () => void; readonly signal: AbortSignal }[] = [];
  const turns = new Turns({
    emit: (event) => events.push(event),
    async *send(message: UserMessage, signal: AbortSignal): AsyncGenerator<AgentEvent> {
      yield { agent: 'main', kind: 'turn-started', message };
      await new Promise<void>((resolve) => {
        running.push({ end: resolve, signal });
        signal.addEventListener('abort', () => resolve());
      });
      const kind = signal.aborted ? 'cancelled' : 'done';
      yield { agent: 'main', kind: 'turn-ended', end: { kind } };
    },
    failed: (thrown) => {
      throw thrown;
    },
  });
  const add = (text: string): void =>
    turns.add({ text, message: () => Promise.resolve(saying(text)) });
  const said = (): readonly string[] =>
    events.flatMap((event) => {
      if (event.kind === 'waiting') return [`waiting: ${event.messages.join(', ')}`];
      if (event.kind !== 'agent') return [];
      return [event.event.kind === 'turn-ended' ? event.event.end.kind : event.event.kind];
    });
  return { turns, running, add, said };
}

describe('the turns of a conversation', () => {
  it('run one after another, in the order in which they were sent', async () => {
    const { turns, running, add, said } = started();
    add('first');
    add('second');
    await expect.poll(() => running.length).toBe(1);
    running[0]?.end();
    await expect.poll(() => running.length).toBe(2);
    running[1]?.end();
    await turns.settled();
    expect(said()).toEqual([
      'waiting: ',
      'waiting: second',
      'turn-started',
      'done',
      'waiting: ',
      'turn-started',
      'done',
    ]);
  });

  it('end when cancelled, and queued messages are not sent', async () => {
    const { turns, running, add, said } = started();
    add('first');
    add('second');
    await expect.poll(() => running.length).toBe(1);
    turns.cancel();
    await turns.settled();
    expect(said().at(-1)).toBe('cancelled');
    expect(running).toHaveLength(1);
    expect(turns.isRunning).toBe(false);
  });
});
