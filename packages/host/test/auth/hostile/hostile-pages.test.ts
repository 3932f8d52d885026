import { chmod } from 'node:fs/promises';
import { ok, Scope, systemClock } from '@plugboard/base';
import { HOSTILE_ADDRESSES, type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { loopbackBrowser } from '../../../src/auth/index.ts';
import { openBrowser } from '../../../src/platform/index.ts';
import { isSafeAddress } from '../../../src/protocol/network/url-guard.ts';
import { hostileScene, notSignedIn } from './scene.ts';

/** Addresses that are invalid metadata; all others are checked later. */
const UNREADABLE = new Set(['a script', 'a document in the address', 'a flag']);
const HOME = new URL('http://127.0.0.1:3000/mcp');

/** Opens pages with a program that records its start. */
async function opener(folder: TempFolder) {
  const program = await folder.write(
    'browser',
    `#!/bin/sh\nprintf '%s\\n' "$@" >> '${folder.path}/argv'\n`,
  );
  await chmod(program, 0o755);
  const env = { PATH: folder.path, BROWSER: program };
  const environment = { env, cwd: folder.path, platform: process.platform };
  return {
    open: (url: string) => openBrowser(url, { environment, clock: systemClock }),
    started: () => folder.read('argv').catch(() => 'never'),
  };
}

describe('an authorization page that starts a program, runs a script or reads a file', () => {
  verifies('AUT-11', 'AUT-04');

  it.each(HOSTILE_ADDRESSES)('is never shown: $name', async ({ name, address }) => {
    await using scope = new Scope();
    const { open, started } = await opener(scope.use(await tempFolder()));
    const { login, issuer, elsewhere } = await hostileScene(scope, {
      issuer: { misbehaviour: { metadata: { authorization_endpoint: address } } },
    });
    const shown: string[] = [];
    const show = async (url: URL) => {
      shown.push(url.href);
      await open(url.href);
      return ok(undefined);
    };
    const outcome = await login(loopbackBrowser({ show, timeoutMs: 1 }));
    expect(outcome).toEqual(
      notSignedIn(
        UNREADABLE.has(name)
          ? { kind: 'bad-answer', url: issuer.issuer }
          : { kind: 'unsafe-address', field: 'authorization_endpoint' },
      ),
    );
    expect({ shown, started: await started() }).toEqual({ shown: [], started: 'never' });
    expect(elsewhere()).toEqual([]);
  });

  // Without the address of the server, every https address is accepted.
  const bySpelling = HOSTILE_ADDRESSES.filter(({ address }) => !/^https:\/\/[^@]*$/.test(address));

  it.each(bySpelling)(
    'starts no program, whichever function opens it: $name',
    async ({ address }) => {
      await using folder = await tempFolder();
      const { open, started } = await opener(folder);
      expect(await open(address)).toMatchObject({ kind: 'refused' });
      expect(await started()).toBe('never');
    },
  );

  it('is distinguished from an honest one, which is opened as one argument', async () => {
    await using scope = new Scope();
    const { open, started } = await opener(scope.use(await tempFolder()));
    const { login, issuer } = await hostileScene(scope);
    const show = async (url: URL) => {
      await open(url.href);
      await fetch(await issuer.browse(url.href), { headers: { connection: 'close' } });
      return ok(undefined);
    };
    expect((await login(loopbackBrowser({ show }))).kind).toBe('signed-in');
    expect(await started()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/authorize\?[^\s'"`$;|<>()]+\n$/);
  });
});

describe('a page that a person should visit, such as that of a device code', () => {
  verifies('AUT-11');

  it.each(HOSTILE_ADDRESSES)('is unsafe: $name', ({ address }) => {
    expect(isSafeAddress(address, [HOME])).toBe(false);
    expect(isSafeAddress(address, [])).toBe(false);
  });

  it.each([
    ['https://auth.example.com/device', 'https://mcp.example.com/mcp', true],
    ['http://127.0.0.1:8080/admin', 'https://mcp.example.com/mcp', false],
    ['https://127.0.0.1:8080/admin', 'https://mcp.example.com/mcp', false],
    ['https://localhost:8080/admin', 'https://mcp.example.com/mcp', false],
    ['http://localhost:8080/device', 'http://127.0.0.1:3000/mcp', true],
    ['https://10.0.0.2/device', 'https://10.0.0.1/mcp', true],
    ['https://192.168.0.1/device', 'https://10.0.0.1/mcp', false],
  ])('%s, of a server at %s, is safe: %s', (page, home, isSafe) => {
    expect(isSafeAddress(page, [new URL(home)])).toBe(isSafe);
  });
});
