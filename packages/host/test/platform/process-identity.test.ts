import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ownIdentity, stateOf } from '../../src/platform/process-identity.ts';
import { processFacts } from '../../src/platform/process-facts.ts';

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
