import {
  startContext7Http,
  startDbhubHttp,
  startEverythingHttp,
  startPlaywright,
  verifies,
} from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { expectPeer } from './peer-check.ts';
import { CONTEXT7, DBHUB, EVERYTHING, MODERN, PLAYWRIGHT } from './published-servers.ts';

describe('the host with published servers over Streamable HTTP', () => {
  it.each([
    ['everything', () => startEverythingHttp(), EVERYTHING],
    ['playwright', () => startPlaywright('http'), PLAYWRIGHT],
    ['dbhub', startDbhubHttp, { ...DBHUB, ...MODERN }],
    ['context7', startContext7Http, { ...CONTEXT7, ...MODERN }],
  ])('detects which era %s speaks', async (_, start, expected) => {
    verifies('TRN-02', 'TRN-08');
    await using peer = await start();
    await expectPeer({ type: 'http', url: peer.url }, expected);
  });

  it.each([
    ['dbhub', startDbhubHttp, DBHUB],
    ['context7', startContext7Http, CONTEXT7],
  ])('speaks the legacy era with %s if configured', async (_, start, expected) => {
    verifies('TRN-02', 'TRN-08');
    await using peer = await start();
    await expectPeer({ type: 'http', url: peer.url, protocol: 'legacy' }, expected);
  });
});
