import { describe, expect, it } from 'vitest';
import { shortageFix, writeFix } from '../../src/print/system-words.ts';
import { unavailableError } from '../../src/print/unavailable.ts';

describe('what to do when the system has run out of something', () => {
  it.each([
    ['ENOSPC', 'make room on the disk'],
    ['EDQUOT', 'make room on the disk'],
    ['EROFS', 'make it writable'],
    ['EMFILE', 'ulimit -n'],
    ['ENFILE', 'ulimit -n'],
    ['ENOMEM', 'end others'],
    ['EAGAIN', 'end others'],
  ])('is told by the code %s', (code, words) => {
    expect(writeFix(code)).toContain(words);
  });

  it('is not told where the code says nothing of the kind', () => {
    expect(shortageFix('EACCES')).toBe(undefined);
    expect(writeFix('EACCES')).toBe('check its permissions and the space on the disk');
  });

  it.each([
    [
      'EMFILE',
      'too many files are open: end other programs, or allow more of them (ulimit -n 4096)',
    ],
    ['EIO', 'run it yourself to see more: tool'],
  ])('is told of a server that cannot start (%s)', (code, fix) => {
    const subject = { server: 's', where: undefined, from: { cwd: '/', home: '/home/me' } };
    const message = `spawn tool ${code}`;
    const failure = { kind: 'spawn-failed', command: 'tool', code, message } as const;
    expect(unavailableError(subject, failure).fix).toBe(fix);
  });
});
