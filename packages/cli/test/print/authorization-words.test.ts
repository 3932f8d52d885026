import type { AuthorizationProblem } from '@plugboard/host';
import { describe, expect, it } from 'vitest';
import { authorizationWords } from '../../src/print/authorization-words.ts';

const issuer = 'https://login.example';

/** One problem of each kind. The type ensures that none is missing. */
const PROBLEMS: { readonly [P in AuthorizationProblem as P['kind']]: P } = {
  'sign-in-needed': { kind: 'sign-in-needed', issuer },
  unreachable: { kind: 'unreachable', url: issuer, code: 'ECONNREFUSED' },
  'bad-answer': { kind: 'bad-answer', url: issuer },
  'issuer-mismatch': { kind: 'issuer-mismatch', where: 'metadata' },
  'stray-endpoint': { kind: 'stray-endpoint', field: 'token_endpoint', issuer },
  'resource-mismatch': { kind: 'resource-mismatch', resource: 'https://other.example' },
  'unsafe-address': { kind: 'unsafe-address', field: 'token_endpoint' },
  'no-pkce': { kind: 'no-pkce', issuer },
  'client-id-needed': { kind: 'client-id-needed', issuer },
  'registration-refused': { kind: 'registration-refused', issuer, status: 403 },
  denied: { kind: 'denied', issuer, error: 'access_denied' },
  'bad-redirect': { kind: 'bad-redirect', reason: 'state' },
  'not-signed-in': { kind: 'not-signed-in', reason: 'timeout' },
  'device-not-offered': { kind: 'device-not-offered', issuer },
  'device-expired': { kind: 'device-expired', issuer },
  'insufficient-scope': { kind: 'insufficient-scope', scope: 'admin' },
  'asked-too-often': { kind: 'asked-too-often' },
  'bad-settings': { kind: 'bad-settings', field: 'oauth.grant' },
  'store-failed': { kind: 'store-failed', message: 'it is locked' },
  unexpected: { kind: 'unexpected', message: 'a surprise' },
};

const WORDS = `docs requires a sign-in at https://login.example
  sign in: plugboard login docs
docs requires a sign-in, and https://login.example cannot be reached (ECONNREFUSED)
  check your network, then sign in: plugboard login docs
docs requires a sign-in, and https://login.example does not answer as an authorization server does
  if it takes no sign-in but a token, give it a token: "headers": { "Authorization": "Bearer \${secret:NAME}" } in its entry
docs names an authorization server that says it is another, so nothing was sent
  correct "oauth" in its entry, or ask who runs the server
docs has metadata in which "token_endpoint" is not at https://login.example, so nothing was sent there
  let "oauth.authServerMetadataUrl" of its entry name the metadata that https://login.example itself publishes; if you trust the one that it names now, remove "oauth.issuer"
docs has the metadata of another server (https://other.example), so no token was asked for
  correct "url" in its entry, or ask who runs the server
docs leads to an address that is not safe ("token_endpoint"), so nothing was sent there
  ask who runs the server: it has to be https
docs requires a sign-in at https://login.example, which does not offer PKCE, so a sign-in could be stolen
  ask who runs the server to offer "S256"
docs requires a sign-in at https://login.example, which only takes programs that it knows
  register one there, put its id into the entry ("oauth": { "clientId": "…" }), then: plugboard login docs
docs requires a sign-in at https://login.example, which did not take us as a new program (HTTP 403)
  put the id of one that it knows into the entry ("oauth": { "clientId": "…" }); or give it a token: "headers": { "Authorization": "Bearer \${secret:NAME}" } in its entry
docs was not signed in to: it was declined at https://login.example
  sign in again: plugboard login docs
docs was not signed in to: what came back belongs to another one
  sign in again: plugboard login docs
docs was not signed in to: the sign-in was not finished in time
  sign in again: plugboard login docs
docs requires a sign-in at https://login.example, which offers no sign-in by a code
  use any browser: plugboard login docs --no-browser
docs was not signed in to: the code was not entered in time
  sign in again: plugboard login docs --device
docs wants more than was granted (admin)
  sign in as a user who may do that, or ask for it ("oauth": { "scopes": "…" }), then: plugboard login docs
docs asked for a sign-in again and again, so its requests are not shown for a while
  sign in: plugboard login docs
docs cannot be signed in to: "oauth.grant" of its entry is missing or not what it should be
  correct "oauth.grant" in its entry
docs cannot be signed in to: credentials cannot be kept (it is locked)
  see what is wrong: plugboard secret list
docs cannot be signed in to: a surprise
  try again; if it happens again, report it
`;

describe('authorizationWords', () => {
  it('has a sentence and a fix for every problem', () => {
    const words = Object.values(PROBLEMS).map((problem) => {
      const { message, fix } = authorizationWords(problem, 'docs');
      return `docs ${message}\n  ${fix}`;
    });
    expect(`${words.join('\n')}\n`).toBe(WORDS);
  });

  it.each([
    ['invalid_client', 'does not take the client (invalid_client)'],
    ['invalid_scope', 'does not know the scopes that were asked for'],
    ['server_error', 'refused (server_error)'],
  ])('explains %s', (error, words) => {
    const { message } = authorizationWords({ kind: 'denied', issuer, error }, 'docs');
    expect(message).toBe(`was not signed in to: ${issuer} ${words}`);
  });
});
