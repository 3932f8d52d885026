// The texts of `login` and `logout`.

import type {
  AuthorizationProblem,
  BrowserOpening,
  DevicePrompt,
  Revocation,
} from '@plugboard/host';
import { oneLine } from './sanitise.ts';
import { remainingOf } from './times.ts';

/** The reason why no browser opens. */
export type NoBrowser = 'asked' | 'ssh' | 'no-screen' | BrowserOpening['kind'];

const NO_BROWSER: Readonly<Record<NoBrowser, string>> = {
  asked: '',
  opened: '',
  ssh: 'This is an SSH session, so no browser is opened here.\n',
  'no-screen': 'There is no screen here to open a browser on.\n',
  'no-opener': 'There is nothing here to open a browser with.\n',
  failed: 'The browser could not be opened.\n',
  refused: 'No browser is opened for this address.\n',
};

/** On its own line, so that it can be copied. */
function address(url: URL): string {
  return `  ${url.href}\n`;
}

export function browserWords(server: string, url: URL): string {
  return `Sign in to "${server}" in your browser. If no page opens, open this one:\n${address(url)}`;
}

export function noBrowserWords(why: NoBrowser): string {
  return NO_BROWSER[why];
}

export function openYourselfWords(server: string, url: URL): string {
  return `To sign in to "${server}", open this page in any browser:\n${address(url)}`;
}

/** `port` is the port of the redirect. */
export function pasteWords(port: string): string {
  return `When you have signed in, the browser goes to a page at 127.0.0.1:${port} that it may not find.
Copy the whole address of that page and paste it here. (With ssh -L ${port}:127.0.0.1:${port} it comes by itself.)
`;
}

/** Printed if the input has ended, so that the user cannot paste anything. */
export const NOTHING_TO_PASTE = `
Nothing can be pasted here, so the command waits for the browser, for a few minutes.
On a machine without people: plugboard auth import --help
`;

export const PASTE_PROMPT = 'Address: ';
export const BAD_PASTE =
  'This is not the address of that page, which contains "code=" and "state=".\n';

export function deviceWords(server: string, prompt: DevicePrompt, now: number): string {
  const { verificationUrl, completeUrl, userCode, expiresAt } = prompt;
  const complete =
    completeUrl === undefined
      ? ''
      : `Or open this one, which has the code in it:\n${address(completeUrl)}`;
  return `To sign in to "${server}", open this page on any device:
${address(verificationUrl)}and enter the code, which ends ${remainingOf(expiresAt - now)}:
  ${oneLine(userCode)}
${complete}`;
}

export interface SignedIn {
  readonly name: string;
  readonly issuer: string;
  readonly account: string;
  readonly isInUse: boolean;
}

export function signedInWords({ name, issuer, account, isInUse }: SignedIn): string {
  const as = isInUse && account === 'default' ? '' : ` as "${account}"`;
  const signedIn = `Signed in to "${name}"${as}, at ${oneLine(issuer)}.\n`;
  if (isInUse) return signedIn;
  return `${signedIn}To use it, write "oauth": { "account": ${JSON.stringify(account)} } into its entry, or into another one with the same url.\n`;
}

export function signedOutWords(name: string, account: string, revocation: Revocation): string {
  const as = account === 'default' ? '' : ` as "${account}"`;
  const signedOut = `Signed out of "${name}"${as}`;
  switch (revocation.kind) {
    case 'revoked':
      return `${signedOut}. The tokens are no longer valid.\n`;
    case 'not-offered':
      return `${signedOut}. The tokens are deleted; the authorization server cannot revoke them, so they stay valid until they expire.\n`;
    case 'failed':
      return `${signedOut}. The tokens are deleted, but not revoked: ${oneLine(whyNot(revocation.problem))}.\n`;
    default:
      return revocation satisfies never;
  }
}

function whyNot(problem: AuthorizationProblem): string {
  switch (problem.kind) {
    case 'unreachable':
      return `${problem.url} cannot be reached (${problem.code})`;
    case 'denied':
      return `${problem.issuer} refused (${problem.error})`;
    case 'issuer-mismatch':
      return 'the server names another authorization server by now';
    default:
      return `the authorization server does not answer as it should (${problem.kind})`;
  }
}
