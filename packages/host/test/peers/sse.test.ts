import { startEverythingSse, startPlaywright, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { expectPeer } from './peer-check.ts';
import { EVERYTHING, PLAYWRIGHT } from './published-servers.ts';

describe('the host with published servers over HTTP+SSE', () => {
  it.each([
    ['everything', startEverythingSse, EVERYTHING],
    ['playwright', () => startPlaywright('sse'), PLAYWRIGHT],
  ])('works with %s', async (_, start, expected) => {
    verifies('TRN-03');
    await using peer = await start();
    await expectPeer({ type: 'sse', url: peer.url }, expected);
  });

  it.each([
    ['everything', startEverythingSse, EVERYTHING],
    ['playwright', () => startPlaywright('sse'), PLAYWRIGHT],
  ])('falls back to it for %s when only an address is given', async (_, start, expected) => {
    verifies('CFG-04', 'TRN-08');
    await using peer = await start();
    await expectPeer({ url: peer.url }, expected);
  });
});
