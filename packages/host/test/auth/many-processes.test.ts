import { GRANT_TYPES, tempFolder, times, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { callers } from './callers.ts';
import { onlyOne, signedInEarlier } from './expired-credential.ts';
import { guardedHost, look, SEEN } from './guarded-host.ts';
import { guardedPair } from './guarded-pair.ts';
import { credentialsIn } from './own-store.ts';

const REFRESH = { grantType: GRANT_TYPES.refreshToken };
const PROCESSES = times(5, 20);
const OTHERS = times(3, 5);

/** Tokens rotate, and the second use of a refresh token revokes the whole family. */
describe('processes with one expired credential and a one-time refresh token', () => {
  it('renew it once, and all of them use the result', async () => {
    verifies('AUT-06', 'AUT-10');
    await using guarded = await guardedPair();
    const { issuer, server, url } = guarded;
    await using folder = await tempFolder();
    const credentials = credentialsIn(folder);
    await signedInEarlier({ url, credentials });
    issuer.revokeAccessTokens();

    await using processes = await callers(PROCESSES, { url, home: folder.path });
    expect(await processes.call()).toEqual(Array.from({ length: PROCESSES }, () => SEEN));

    expect(issuer.count(REFRESH)).toBe(1);
    const { accessToken, refreshToken } = await onlyOne(credentials);
    expect(issuer.findAccessToken(accessToken)).toBe(issuer.accessTokens.at(-1));
    expect(new Set(server.admitted)).toEqual(new Set(issuer.accessTokens.slice(-1)));
    expect(refreshToken).toBe(issuer.refreshTokens.at(-1)?.value);
    // The files contain nothing of it in plain text.
    const stored = await folder.read('state/secrets.json');
    for (const secret of issuer.everySecret()) expect(stored).not.toContain(secret);
  });

  it('continue when the one that renews it is killed', async () => {
    verifies('AUT-06');
    await using guarded = await guardedPair();
    const { issuer, url } = guarded;
    await using folder = await tempFolder();
    const credentials = credentialsIn(folder);
    await signedInEarlier({ url, credentials });
    issuer.revokeAccessTokens();
    issuer.misbehave({ faults: [{ at: 'token', ...REFRESH, kind: 'hang', times: 1 }] });

    await using victim = await callers(1, { url, home: folder.path });
    await using others = await callers(OTHERS, { url, home: folder.path });
    victim.begin();
    await waitUntil(() => issuer.count(REFRESH) === 1, { describe: 'the refresh to be asked for' });
    const called = others.call();
    await victim.kill();

    expect(await called).toEqual(Array.from({ length: OTHERS }, () => SEEN));
    // The one that was never answered, and one for all the others.
    expect(issuer.count(REFRESH)).toBe(2);
    expect(issuer.findAccessToken((await onlyOne(credentials)).accessToken)).toBeDefined();
  });

  it('use what another obtained meanwhile, also those that hold the old one', async () => {
    verifies('AUT-06');
    await using guarded = await guardedPair();
    const { issuer, server, url } = guarded;
    await using folder = await tempFolder();
    const credentials = credentialsIn(folder);
    await signedInEarlier({ url, credentials });
    await using host = await guardedHost({ url, credentials });
    expect(await look(host)).toEqual(SEEN);
    issuer.revokeAccessTokens();
    const before = issuer.count(REFRESH);

    await using faster = await callers(1, { url, home: folder.path });
    expect(await faster.call()).toEqual([SEEN]);
    expect(await look(host)).toEqual(SEEN);

    expect(issuer.count(REFRESH)).toBe(before + 1);
    expect(server.admitted.at(-1)).toBe(issuer.accessTokens.at(-1));
  });
});
