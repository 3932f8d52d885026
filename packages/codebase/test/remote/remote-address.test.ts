import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { isRemote, readRemote } from '../../src/remote/index.ts';

const ALLOWED = ['github.com', 'host.example:8443', '127.0.0.1:4000'];

describe('the address of a repository', () => {
  verifies('COD-25');

  it.each([
    ['https://github.com/owner/repo.git', { scheme: 'https', name: 'repo' }],
    ['https://GITHUB.com/owner/repo/', { scheme: 'https', name: 'repo' }],
    ['https://host.example:8443/a/b', { scheme: 'https', name: 'b' }],
    ['http://127.0.0.1:4000/repo.git', { scheme: 'http', name: 'repo' }],
    ['ssh://git@github.com/owner/repo.git', { scheme: 'ssh', name: 'repo' }],
    ['git@github.com:owner/repo.git', { scheme: 'ssh', name: 'repo' }],
  ])('is accepted if its host is allowed: %s', (text, address) => {
    expect(isRemote(text)).toBe(true);
    expect(readRemote(text, ALLOWED)).toMatchObject({ ok: true, value: address });
    expect(readRemote(text, [])).toMatchObject({ error: expect.stringContaining('not allowed') });
  });

  it.each([
    ['https://github.com.evil.example/x', 'is not allowed'],
    ['https://evil.example/github.com', 'is not allowed'],
    ['https://github.com:8443/owner/repo', 'is not allowed'],
    ['https://host.example/a', 'is not allowed'],
    ['file:///srv/repo.git', '--allow-remote file:'],
    ['https://token@github.com/owner/repo', 'must not contain a name or a password'],
    ['https://me:secret@github.com/owner/repo', 'must not contain a name or a password'],
    ['ssh://git:secret@github.com/owner/repo', 'must not contain a name or a password'],
    ['http://github.com/owner/repo', 'http is not encrypted'],
    ['git://github.com/owner/repo', 'git: is not used'],
    ['ext::sh -c "touch /tmp/x" %S', 'is like https://HOST/PATH'],
    ['fd::17/x', 'is like https://HOST/PATH'],
    ['ssh://-oProxyCommand=touch/owner', 'is like https://HOST/PATH'],
    ['ssh://-x@github.com/owner', 'is like https://HOST/PATH'],
    ['-x@github.com:owner/repo', 'is like https://HOST/PATH'],
    ['git@github.com:-owner', 'is like https://HOST/PATH'],
    ['https://github.com/a?b=c', 'is like https://HOST/PATH'],
    ['file://other.example/srv', 'is like https://HOST/PATH'],
  ])('is refused: %s', (text, reason) => {
    expect(isRemote(text)).toBe(true);
    const read = readRemote(text, ALLOWED);
    expect(read).toMatchObject({ ok: false, error: expect.stringContaining(reason) });
    expect(JSON.stringify(read)).not.toContain('secret');
  });

  it('is accepted with an umlaut in its host, also after many other addresses', () => {
    // Once Node 20 has optimized a caller of `URL.canParse`, it refuses every such host.
    for (let call = 0; call < 100_000; call += 1)
      readRemote(`https://github.com/a/${call % 10}`, []);
    const read = readRemote('https://exämple.com/owner/repo', ['xn--exmple-cua.com']);
    expect(read).toMatchObject({ ok: true, value: { scheme: 'https', name: 'repo' } });
  });

  it('is distinguished from a folder', () => {
    for (const folder of [
      '.',
      '/a/b',
      'a:b',
      'C:\\code',
      'C:/code',
      './x@y:z',
      '--upload-pack=x',
    ]) {
      expect({ folder, isRemote: isRemote(folder) }).toEqual({ folder, isRemote: false });
    }
  });

  it('of this machine is allowed by its scheme', () => {
    expect(readRemote('file:///srv/repo.git', ['file:'])).toMatchObject({
      value: { scheme: 'file', name: 'repo' },
    });
  });
});
