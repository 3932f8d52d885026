// Answers a server's requests for the roots, in both eras. A legacy server is also notified of changes; a modern one
// gets the current roots with each request.

import { INBOUND_REQUESTS } from './neutral/inbound-requests.ts';
import type { Era } from './neutral/model.ts';
import type { RootsPort } from './neutral/roots.ts';
import type { SessionClient } from './session-client.ts';

/** The client must declare the capability. */
export function answerRoots(client: SessionClient, roots: RootsPort): void {
  client.setRequestHandler(INBOUND_REQUESTS.roots.method, () => ({
    roots: roots.list().map(({ uri, name }) => ({ uri, name })),
  }));
}

/** Announces changes until the session ends. */
export function announceRoots(
  client: SessionClient,
  roots: RootsPort,
  { era, ending }: { readonly era: Era; readonly ending: AbortSignal },
): void {
  // 2026-07-28 has no such notification.
  if (era === 'modern' || ending.aborted) return;
  const watch = roots.watch(() => {
    // Fails only if the server is gone.
    client.sendRootsListChanged().catch(() => {});
  });
  ending.addEventListener('abort', () => watch[Symbol.dispose](), { once: true });
}
