import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isRunning, ownIdentity, processFacts, stateOf } from '../../src/platform/index.ts';

describe('a recorded process', () => {
  const own = ownIdentity();

  it('runs if its pid and its start time match a running one', () => {
    expect(stateOf(own)).toBe('running');
  });

  it('is gone once it has ended', async () => {
    const child = spawn('sleep', ['60']);
    const { pid = 0 } = child;
    const identity = { ...own, pid, start: processFacts(pid)?.start };
    expect(stateOf(identity)).toBe('running');
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(stateOf(identity)).toBe('gone');
    expect(stateOf({ ...identity, start: undefined })).toBe('gone');
  });

  it('is gone if its pid belongs to another process now', () => {
    expect(stateOf({ ...own, start: 1 })).toBe('gone');
  });

  it('may run if that is unknown: no start time, or another machine', () => {
    expect(stateOf({ ...own, start: undefined })).toBe('unknown');
    expect(stateOf({ ...own, pid: 4_194_305, realm: 'abcdefabcdef' })).toBe('unknown');
  });
});

describe('a process with a given id', () => {
  it.each([
    [process.pid, true],
    [1, true],
    [2 ** 30, false],
    [0, false],
    [-1, false],
    [1.5, false],
    [Number.NaN, false],
  ])('%d runs: %s', (pid, expected) => {
    expect(isRunning(pid)).toBe(expected);
  });
});
