// Tells a server the folders to work in, in both eras. A connected legacy server is notified of changes; a modern one
// gets the current folders whenever it asks.

import { INBOUND_REQUESTS } from './neutral/inbound-requests.ts';
import type { Era } from './neutral/model.ts';
import type { RootsPort } from './neutral/roots.ts';
import type { SessionClient } from './session-client.ts';

/** The client must have been given the capability. */
export function answerRoots(client: SessionClient, roots: RootsPort): void {
  client.setRequestHandler(INBOUND_REQUESTS.roots.method, () => ({
    roots: roots.list().map(({ uri, name }) => ({ uri, name })),
  }));
}

/** Until the session ends. */
export function announceRoots(
  client: SessionClient,
  roots: RootsPort,
  { era, ending }: { readonly era: Era; readonly ending: AbortSignal },
): void {
  // 2026-07-28 has no such notification.
  if (era === 'modern' || ending.aborted) return;
  const watch = roots.watch(() => {
    // A server that is going away need not hear of it.
    client.sendRootsListChanged().catch(() => {});
  });
  ending.addEventListener('abort', () => watch[Symbol.dispose](), { once: true });
}
