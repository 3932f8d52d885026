import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  type CallFilter,
  choicesOf,
  durationRange,
  matcherOf,
  NO_FILTER,
} from '../../src/traffic/call-filter.ts';
import { logged } from './logged-call.ts';

const calls = [
  logged({ id: '1', server: 'files', subject: 'read', ms: 5, clientName: 'editor' }),
  logged({ id: '2', server: 'files', subject: 'write', ms: 250, state: 'denied' }),
  logged({ id: '3', server: 'github', subject: 'search', ms: 2500, state: 'tool-error' }),
  logged({ id: '4', server: undefined, subject: undefined, method: 'tools/list', ms: 1 }),
  logged({ id: '5', at: 1000, ms: undefined, state: 'running', problem: 'Not Found' }),
];

function idsWith(filter: Partial<CallFilter>, inMessages: readonly string[] = []): string {
  const matches = matcherOf({ ...NO_FILTER, ...filter }, new Set(inMessages));
  return calls
    .filter((entry) => matches(entry, 4000))
    .map(({ call }) => call.id)
    .join(' ');
}

describe('a filter of calls', () => {
  verifies('CON-UI');

  it.each([
    [{}, '1 2 3 4 5'],
    [{ server: 'files' }, '1 2'],
    [{ server: '(gateway)' }, '4'],
    [{ tool: 'search' }, '3'],
    [{ tool: 'tools/list' }, '4'],
    [{ client: 'editor' }, '1'],
    [{ outcome: 'failed' }, '2 3'],
    [{ outcome: 'denied' }, '2'],
    [{ outcome: 'running' }, '5'],
    [{ duration: '>100ms' }, '2 3 5'],
    [{ duration: '<10ms' }, '1 4'],
    [{ duration: '100ms-1s' }, '2'],
    [{ text: 'not found' }, '5'],
    [{ text: 'FILES write' }, '2'],
    [{ server: 'files', text: 'nothing' }, ''],
  ] as const)('by %j lets through %s', (filter, ids) => {
    expect(idsWith(filter)).toBe(ids);
  });

  it('finds text in the messages of calls, combined with the other filters', () => {
    expect(idsWith({ text: 'in a body' }, ['1', '3'])).toBe('1 3');
    expect(idsWith({ text: 'in a body', server: 'files' }, ['1', '3'])).toBe('1');
  });

  it('parses durations, and rejects invalid ones', () => {
    expect(durationRange('')).toEqual({ least: 0, most: Infinity });
    expect(durationRange('1.5s')).toEqual({ least: 1500, most: Infinity });
    expect(durationRange('< 2 m')).toEqual({ least: 0, most: 120_000 });
    expect(durationRange('1-2s')).toEqual({ least: 1000, most: 2000 });
    expect(durationRange('fast')).toBeUndefined();
  });

  it('offers the tools of the selected server', () => {
    expect(choicesOf(calls, '').tools).toEqual(['echo', 'read', 'search', 'tools/list', 'write']);
    expect(choicesOf(calls, 'files')).toEqual({
      servers: ['(gateway)', 'files', 'github', 'one'],
      tools: ['read', 'write'],
      clients: ['editor', 'test'],
    });
  });
});
