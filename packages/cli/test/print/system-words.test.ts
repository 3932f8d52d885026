import { describe, expect, it } from 'vitest';
import { shortageFix } from '@plugboard/base';
import { writeFix } from '../../src/print/system-words.ts';
import { unavailableError } from '../../src/print/unavailable.ts';

describe('the fix for a shortage of the system', () => {
  it.each([
    ['ENOSPC', 'make room on the disk'],
    ['EDQUOT', 'make room on the disk'],
    ['EROFS', 'make it writable'],
    ['EMFILE', 'ulimit -n'],
    ['ENFILE', 'ulimit -n'],
    ['ENOMEM', 'end others'],
    ['EAGAIN', 'end others'],
  ])('follows from the code %s', (code, words) => {
    expect(writeFix(code)).toContain(words);
  });

  it('is missing if the code means something else', () => {
    expect(shortageFix('EACCES')).toBe(undefined);
    expect(writeFix('EACCES')).toBe('check its permissions and the space on the disk');
  });

  it.each([
    [
      'EMFILE',
      'too many files are open: end other programs, or allow more (ulimit -n 4096) and start this one again',
    ],
    ['EIO', 'run it yourself to see more: tool'],
  ])('is shown for a server that cannot start (%s)', (code, fix) => {
    const subject = { server: 's', where: undefined, from: { cwd: '/', home: '/home/me' } };
    const message = `spawn tool ${code}`;
    const failure = { kind: 'spawn-failed', command: 'tool', code, message } as const;
    expect(unavailableError(subject, failure).fix).toBe(fix);
  });

  it('is shown also for a server that cannot be reached, and for an unexpected error', () => {
    const subject = { server: 's', where: undefined, from: { cwd: '/', home: '/home/me' } };
    const url = 'https://example.com/mcp';
    const code = 'EMFILE';
    const fix = shortageFix(code);
    const fixes = [
      unavailableError(subject, { kind: 'unreachable', url, code }),
      unavailableError(subject, { kind: 'unexpected', message: 'open', code }),
    ].map((error) => error.fix);
    expect(fixes).toEqual([fix, fix]);
  });
});
