// The prompt: sending, history, search, and completions.

import { describe, expect, it } from 'vitest';
import { compose, type Composer, newComposer, withMenu } from '../../src/tui/input/index.ts';
import { KeyParser } from '../../src/tui/keys/index.ts';

interface TypedResult {
  readonly composer: Composer;
  readonly sent: readonly string[];
}

function type(composer: Composer, input: string): TypedResult {
  const parser = new KeyParser();
  const keys = [...parser.push(input), ...parser.flush()];
  const sent: string[] = [];
  let now = composer;
  for (const key of keys) {
    const composed = compose(now, key, 40);
    if (composed.kind === 'submit') sent.push(composed.text);
    if (composed.kind !== 'unused') now = composed.composer;
  }
  return { composer: now, sent };
}

function textAfter(composer: Composer, input: string): string {
  return type(composer, input).composer.editor.text;
}

const UP = '\u001B[A';
const DOWN = '\u001B[B';
const fresh = newComposer(['first', 'second']);

describe('the prompt of the chat', () => {
  it('sends on Enter, and is empty afterwards', () => {
    const { composer, sent } = type(fresh, ' hello \r');
    expect(sent).toEqual(['hello']);
    expect([composer.editor.text, composer.history]).toEqual(['', ['first', 'second', 'hello']]);
  });

  it('does not send an empty message', () => {
    expect(type(fresh, '  \r').sent).toEqual([]);
  });

  it.each([
    ['Shift-Enter', '\u001B[13;2u'],
    ['Alt-Enter', '\u001B\r'],
    ['Ctrl-J', '\n'],
    ['a backslash before Enter', '\\\r'],
  ])('begins a new line with %s', (_, keys) => {
    expect(type(fresh, `a${keys}b`)).toMatchObject({
      sent: [],
      composer: { editor: { text: 'a\nb' } },
    });
  });

  it('goes back through sent messages, and returns to the draft', () => {
    expect(textAfter(fresh, `draft${UP}`)).toBe('second');
    expect(textAfter(fresh, `draft${UP}${UP}${UP}`)).toBe('first');
    expect(textAfter(fresh, `draft${UP}${UP}${DOWN}${DOWN}`)).toBe('draft');
  });

  it('moves within the lines first', () => {
    expect(textAfter(fresh, `a\nb${UP}x`)).toBe('ax\nb');
  });

  it('searches sent messages, from the newest back', () => {
    const many = newComposer(['git log', 'ls', 'git status']);
    expect(textAfter(many, '\u0012git\r')).toBe('git status');
    expect(textAfter(many, '\u0012git\u0012\r')).toBe('git log');
    expect(textAfter(many, 'draft\u0012git\u001B')).toBe('draft');
  });

  const choices = ['/mcp', '/model'].map((text) => ({ text, label: text }));
  const offered = withMenu(type(fresh, '/m').composer, { start: 0, choices });

  it('inserts the selected completion', () => {
    expect(textAfter(offered, '\t')).toBe('/mcp');
    expect(textAfter(offered, `${DOWN}\r`)).toBe('/model');
    expect(textAfter(offered, `${UP}\t`)).toBe('/model');
  });

  it('sends a complete word, although completions are shown', () => {
    const whole = withMenu(type(fresh, '/mcp').composer, { start: 0, choices });
    expect(type(whole, '\r').sent).toEqual(['/mcp']);
  });

  it('closes the completions on Escape and on further typing', () => {
    expect([type(offered, '\u001B').composer.menu, type(offered, 'x').composer.menu]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
