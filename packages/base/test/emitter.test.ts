import { describe, expect, it } from 'vitest';
import { Emitter } from '../src/emitter.ts';

function emitter(): { events: Emitter<string>; errors: unknown[] } {
  const errors: unknown[] = [];
  return { events: new Emitter<string>((thrown) => void errors.push(thrown)), errors };
}

describe('an emitter', () => {
  it('notifies every listener, in the order they were added, until they are removed', () => {
    const { events } = emitter();
    const heard: string[] = [];
    const first = events.on((event) => void heard.push(`first ${event}`));
    const second = events.on((event) => void heard.push(`second ${event}`));
    events.emit('a');
    first[Symbol.dispose]();
    events.emit('b');
    second[Symbol.dispose]();
    events.emit('c');
    expect(heard).toEqual(['first a', 'second a', 'second b']);
    expect(events.size).toBe(0);
  });

  it('notifies the others when one throws, and reports the error', () => {
    const { events, errors } = emitter();
    const failure = new Error('failed');
    const heard: string[] = [];
    events.on(() => {
      throw failure;
    });
    events.on((event) => void heard.push(event));
    events.emit('a');
    expect([heard, errors]).toEqual([['a'], [failure]]);
  });

  it('lets one function be added twice and removed once', () => {
    const { events } = emitter();
    const heard: string[] = [];
    const listener = (event: string): void => void heard.push(event);
    const once = events.on(listener);
    events.on(listener);
    events.emit('a');
    once[Symbol.dispose]();
    once[Symbol.dispose]();
    events.emit('b');
    expect(heard).toEqual(['a', 'a', 'b']);
  });

  it('skips listeners that are removed or added during a notification', () => {
    const { events } = emitter();
    const heard: string[] = [];
    events.on((event) => {
      heard.push(`first ${event}`);
      second[Symbol.dispose]();
      events.on((later) => void heard.push(`third ${later}`));
    });
    const second = events.on((event) => void heard.push(`second ${event}`));
    events.emit('a');
    expect(heard).toEqual(['first a']);
    expect(events.size).toBe(2);
  });
});
