// Explains why the user is not signed in to a server and what to do: one entry for each problem.

import type { AuthorizationProblem } from '@plugboard/host';
import type { ServerProblem } from './error.ts';

type Problems = { readonly [P in AuthorizationProblem as P['kind']]: P };

type ProblemTexts = {
  readonly [Kind in keyof Problems]: (problem: Problems[Kind], server: string) => ServerProblem;
};

export function authorizationWords(problem: AuthorizationProblem, server: string): ServerProblem {
  return problemText(problem.kind, problem, server);
}

function problemText<Kind extends keyof Problems>(
  kind: Kind,
  problem: Problems[Kind],
  server: string,
): ServerProblem {
  return WORDS[kind](problem, server);
}

const TOKEN_FIX =
  'give it a token: "headers": { "Authorization": "Bearer ${secret:NAME}" } in its entry';
const ASK = 'ask who runs the server';
const again = (server: string): string => `sign in again: plugboard login ${server}`;

const WORDS: ProblemTexts = {
  'sign-in-needed': ({ issuer }, server) => ({
    message: issuer === '' ? 'requires a sign-in' : `requires a sign-in at ${issuer}`,
    fix: `sign in: plugboard login ${server}`,
  }),

  // The authorization server cannot be found or trusted.
  unreachable: ({ url, code }, server) => ({
    message: `requires a sign-in, and ${url} cannot be reached (${code})`,
    fix: `check your network, then sign in: plugboard login ${server}`,
  }),
  'bad-answer': ({ url }) => ({
    message: `requires a sign-in, and ${url} does not answer as an authorization server does`,
    fix: `if it takes no sign-in but a token, ${TOKEN_FIX}`,
  }),
  'issuer-mismatch': ({ where }, server) => ({
    message: MISMATCHES[where],
    fix: mismatchFix(where, server),
  }),
  'stray-endpoint': ({ field, issuer }) => ({
    message: `has metadata in which "${field}" is not at ${issuer}, so nothing was sent there`,
    fix: `let "oauth.authServerMetadataUrl" of its entry name the metadata that ${issuer} itself publishes; if you trust the one that it names now, remove "oauth.issuer"`,
  }),
  'resource-mismatch': ({ resource }) => ({
    message: `has the metadata of another server (${resource}), so no token was asked for`,
    fix: `correct "url" in its entry, or ${ASK}`,
  }),
  'unsafe-address': ({ field }) => ({
    message: `leads to an address that is not safe ("${field}"), so nothing was sent there`,
    fix: `${ASK}: it has to be https`,
  }),
  'no-pkce': ({ issuer }) => ({
    message: `requires a sign-in at ${issuer}, which does not offer PKCE, so a sign-in could be stolen`,
    fix: `${ASK} to offer "S256"`,
  }),

  // The client is not registered.
  'client-id-needed': ({ issuer }, server) => ({
    message: `requires a sign-in at ${issuer}, which only takes programs that it knows`,
    fix: `register one there, put its id into the entry ("oauth": { "clientId": "…" }), then: plugboard login ${server}`,
  }),
  'registration-refused': ({ issuer, status }) => ({
    message: `requires a sign-in at ${issuer}, which did not take us as a new program (HTTP ${status})`,
    fix: `put the id of one that it knows into the entry ("oauth": { "clientId": "…" }); or ${TOKEN_FIX}`,
  }),

  // The sign-in failed.
  denied: ({ issuer, error }, server) => deniedWords(issuer, error, server),
  'bad-redirect': ({ reason }, server) => ({
    message: `was not signed in to: what came back ${reason === 'state' ? 'belongs to another one' : 'holds no code'}`,
    fix: again(server),
  }),
  'not-signed-in': ({ reason }, server) => ({
    message: `was not signed in to: ${REASONS[reason]}`,
    fix: again(server),
  }),
  'device-not-offered': ({ issuer }, server) => ({
    message: `requires a sign-in at ${issuer}, which offers no sign-in by a code`,
    fix: `use any browser: plugboard login ${server} --no-browser`,
  }),
  'device-expired': (_problem, server) => ({
    message: 'was not signed in to: the code was not entered in time',
    fix: `sign in again: plugboard login ${server} --device`,
  }),
  'insufficient-scope': ({ scope }, server) => ({
    message: `wants more than was granted${scope === '' ? '' : ` (${scope})`}`,
    fix: `sign in as a user who may do that, or ask for it ("oauth": { "scopes": "…" }), then: plugboard login ${server}`,
  }),
  'asked-too-often': (_problem, server) => ({
    message: 'asked for a sign-in again and again, so its requests are not shown for a while',
    fix: `sign in: plugboard login ${server}`,
  }),

  // The problem is on this machine.
  'bad-settings': ({ field }) => ({
    message: `cannot be signed in to: "${field}" of its entry is missing or not what it should be`,
    fix: `correct "${field}" in its entry`,
  }),
  'store-failed': ({ message }) => ({
    message: `cannot be signed in to: credentials cannot be kept (${message})`,
    fix: 'see what is wrong: plugboard secret list',
  }),
  unexpected: ({ message }) => ({
    message: `cannot be signed in to: ${message}`,
    fix: 'try again; if it happens again, report it',
  }),
};

const MISMATCHES = {
  metadata: 'names an authorization server that says it is another, so nothing was sent',
  redirect:
    'got a sign-in from another authorization server than the one asked, so it was not used',
  client: 'names another authorization server than the one meant, so nothing was sent',
} as const;

function mismatchFix(where: keyof typeof MISMATCHES, server: string): string {
  if (where === 'redirect') return again(server);
  const fix = `correct "oauth" in its entry, or ${ASK}`;
  return where === 'metadata'
    ? fix
    : `${fix}; if it has moved: plugboard logout ${server}, then plugboard login ${server}`;
}

const REASONS = {
  cancelled: 'the sign-in was cancelled',
  timeout: 'the sign-in was not finished in time',
  'no-browser': 'no browser could be opened',
} as const;

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 */
function deniedWords(issuer: string, error: string, server: string): ServerProblem {
  const at = issuer === '' ? 'the authorization server' : issuer;
  switch (error) {
    case 'access_denied':
      return { message: `was not signed in to: it was declined at ${at}`, fix: again(server) };
    case 'invalid_client':
    case 'unauthorized_client':
      return {
        message: `was not signed in to: ${at} does not take the client (${error})`,
        fix: 'correct "clientId" and "clientSecret" of "oauth" in its entry',
      };
    case 'invalid_scope':
      return {
        message: `was not signed in to: ${at} does not know the scopes that were asked for`,
        fix: 'correct "scopes" of "oauth" in its entry',
      };
    default:
      return { message: `was not signed in to: ${at} refused (${error})`, fix: again(server) };
  }
}
