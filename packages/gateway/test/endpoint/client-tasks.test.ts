import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import { ClientTasks } from '../../src/endpoint/index.ts';

function clientOf(principal: string): Client {
  return { era: 'modern', principal, owner: principal, clientInfo: {}, capabilities: {} };
}

const BOB = clientOf('bob');
const MALLORY = clientOf('mallory');

describe('the tasks of a client', () => {
  verifies('GWY-01');

  it('are kept however many tasks another principal has', () => {
    const tasks = new ClientTasks();
    tasks.note({ taskId: 'of bob' }, 'one', BOB);
    for (let index = 0; index < 10_001; index += 1) {
      tasks.note({ taskId: `of mallory ${index}` }, 'one', MALLORY);
    }
    expect(tasks.serverOf('of bob', BOB)).toBe('one');
    expect(tasks.serverOf('of mallory 0', MALLORY)).toBeUndefined();
    expect(tasks.serverOf('of mallory 10000', MALLORY)).toBe('one');
    expect(tasks.serverOf('of bob', MALLORY)).toBeUndefined();
  });

  it('are kept if another principal had a task with the same id before', () => {
    const tasks = new ClientTasks();
    tasks.note({ taskId: '1' }, 'two', MALLORY);
    tasks.note({ task: { taskId: '1' } }, 'one', BOB);
    expect(tasks.serverOf('1', BOB)).toBe('one');
    expect(tasks.serversOf(BOB)).toEqual(['one']);
    tasks.note({ taskId: '1' }, 'two', BOB);
    expect(tasks.serverOf('1', BOB)).toBe('one');
  });
});
