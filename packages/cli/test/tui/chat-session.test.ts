// The chat session: when changes are drawn, and the effects of keys.

import { ManualClock } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Chat, Completions } from '../../src/chat/index.ts';
import { type Key, press } from '../../src/tui/keys/index.ts';
import { ChatSession } from '../../src/tui/session/index.ts';
import { agent, approval, emptyChat, STARTED } from './empty-chat.ts';

function open(changes: Partial<Chat> = {}, drawnAt: () => number | undefined = () => 0) {
  const clock = new ManualClock();
  const chat = emptyChat(changes);
  const surface = {
    redraw: () => {},
    lend: () => Promise.resolve(undefined),
    suspend: () => {},
    copy: () => {},
    drawnAt,
  };
  const session = new ChatSession({ chat, clock, surface, size: { columns: 80, rows: 24 } });
  let drawn = 0;
  session.store.subscribe(() => {
    drawn += 1;
  });
  return { clock, chat, session, drawn: () => drawn };
}

function typed(text: string): Key {
  return { kind: 'text', text };
}

describe('a chat session', () => {
  it('draws a stream only a few times, however many pieces it has', async () => {
    const { chat, clock, drawn, session } = open();
    chat.tell(STARTED);
    for (let piece = 0; piece < 100; piece += 1) chat.tell(agent({ kind: 'text', text: 'x' }));
    expect(drawn()).toBe(0);
    await clock.advance(40);
    expect([drawn(), session.store.drawnScreen().live]).toMatchObject([
      1,
      [{ text: 'x'.repeat(100) }],
    ]);
  });

  it('draws a key press at once, in the middle of a stream', () => {
    const { chat, drawn, session } = open();
    chat.tell(STARTED);
    chat.tell(agent({ kind: 'text', text: 'x' }));
    session.key(typed('a'));
    expect([drawn(), session.store.drawnScreen().composer.editor.text]).toEqual([1, 'a']);
  });

  it('ignores keys for a question before it is drawn and could be read', async () => {
    const surface: { drawnAt?: number } = {};
    const { chat, clock, session } = open({}, () => surface.drawnAt);
    chat.tell(approval('a'));
    await clock.advance(5000);
    session.key(typed('y'));
    expect([chat.asked, session.store.screen.composer.editor.text]).toEqual([[], 'y']);
    session.key(press('backspace'));
    surface.drawnAt = clock.elapsed();
    await clock.advance(200);
    session.key(press('enter'));
    expect(chat.asked).toEqual([]);
    await clock.advance(200);
    session.key(press('enter'));
    expect(chat.asked).toMatchObject([{ kind: 'approval', id: 'a', answer: { kind: 'allow' } }]);
  });

  it('draws the end of a turn at once, with everything before it', () => {
    const { chat, drawn, session } = open();
    chat.tell(STARTED);
    chat.tell(agent({ kind: 'text', text: 'done' }));
    chat.tell(agent({ kind: 'turn-ended', end: { kind: 'done' } }));
    expect([drawn(), session.store.drawnScreen() === session.store.screen]).toEqual([1, true]);
  });

  it('forgets a first Ctrl-C after a while', async () => {
    const { clock, session } = open();
    session.key(press('c', { ctrl: true }));
    expect(session.store.screen.hint).toBe('Press Ctrl-C again to quit');
    await clock.advance(3000);
    expect(session.store.screen.hint).toBeUndefined();
  });

  it('shows completions only for the text for which they were requested', async () => {
    const waiting: { text: string; signal: AbortSignal; give: (found: Completions) => void }[] = [];
    const { session } = open({
      complete: (text, _, signal) =>
        new Promise((give) => {
          waiting.push({ text, signal, give });
        }),
    });
    session.key(typed('/'));
    session.key(typed('m'));
    expect(waiting.map(({ text, signal }) => [text, signal.aborted])).toEqual([
      ['/', true],
      ['/m', false],
    ]);
    const choices = [{ text: '/mcp', label: '/mcp' }];
    waiting[0]?.give({ start: 0, choices: [{ text: '/old', label: '/old' }] });
    waiting[1]?.give({ start: 0, choices });
    await Promise.resolve();
    await Promise.resolve();
    expect(session.store.screen.composer.menu).toEqual({ start: 0, choices, selected: 0 });
  });

  it('reports an error when the chat crashes', async () => {
    const { session } = open({ submit: () => Promise.reject(new Error('lost')) });
    session.key(typed('hi'));
    session.key(press('enter'));
    await Promise.resolve();
    await Promise.resolve();
    expect(session.store.screen.finished.at(-1)).toMatchObject({
      kind: 'notice',
      notice: { level: 'error', text: 'lost' },
    });
  });

  it('leaves no timer behind', () => {
    const { chat, clock, session } = open();
    chat.tell(agent({ kind: 'text', text: 'x' }));
    session.key(press('c', { ctrl: true }));
    session[Symbol.dispose]();
    expect(clock.pending).toBe(0);
  });
});
