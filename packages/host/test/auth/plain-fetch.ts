// The fetch of Node as a step of authorization wants it, for servers on loopback. Each request has a
// connection of its own, so that none outlives its test.

import type { Fetch } from '../../src/protocol/index.ts';

const LOOPBACK = new URL('http://127.0.0.1/');

export function plainFetch(before: (url: URL) => void = () => undefined): Fetch {
  const plain = (url: string | URL, init?: RequestInit): Promise<Response> => {
    before(new URL(url));
    const headers = new Headers(init?.headers);
    headers.set('connection', 'close');
    return fetch(url, { ...init, headers });
  };
  return Object.assign(plain, { homes: [LOOPBACK] });
}
