// A program whose user signs in at a server, as docs/embedding.md quotes it. Who signs people in, and the
// server, are those of the tests; so is the user, who says yes to everything. Run after a build.

import assert from 'node:assert/strict';
import { ok } from '@plugboard/base';
import { createHost, loopbackBrowser, memoryCredentials } from '@plugboard/host';
import { startAuthorizationServer, startProtectedServer } from '@plugboard/testkit';

await using issuer = await startAuthorizationServer();
await using server = await startProtectedServer({ issuer });
await using host = await createHost({
  servers: { docs: { type: 'http', url: server.url } },
  files: 'none',
  authorization: { credentials: memoryCredentials() },
});

/** A program shows the page in whatever way it has; `openBrowser` is one. */
async function showPage(url: URL): Promise<void> {
  await fetch(url, { headers: { connection: 'close' } });
}

// <sign-in>
const browser = loopbackBrowser({
  show: async (url) => {
    // Not waited for: the person may take long, and the redirect comes by itself.
    void showPage(url);
    return ok(undefined);
  },
});
const signedIn = await host.login('docs', { way: { kind: 'browser', browser } });
if (signedIn.kind !== 'signed-in') throw new Error(`not signed in: ${signedIn.kind}`);
const statuses = await host.signIns();
console.log(statuses.map((each) => `${each.server}: ${each.state.kind}`).join('\n'));
// </sign-in>

assert.equal(signedIn.issuer, issuer.issuer);
assert.deepEqual(
  statuses.map((each) => [each.server, each.account, each.isInUse, each.state.kind]),
  [['docs', 'default', true, 'signed-in']],
);
const { tools, problems } = await host.tools();
assert.deepEqual(problems, []);
assert.ok(tools.length > 0);
const left = await host.logout('docs');
assert.deepEqual(left, {
  kind: 'signed-out',
  server: 'docs',
  wasSignedIn: true,
  revocation: { kind: 'revoked' },
});
