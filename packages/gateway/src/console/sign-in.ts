// Signs the user of the console in to a server, and out again. The page of the authorization server waits at the desk
// like any page of a server, and redirects to a listener on this machine.

import { never, ok } from '@plugboard/base';
import { type Host, loopbackBrowser, type ServerStatus } from '@plugboard/host';
import { isLocalTransport } from '@plugboard/host/configuration';
import { readQuestion } from '@plugboard/host/relay';
import type { SignedInView } from '../console-api.ts';
import type { Console } from './console.ts';
import { type ApiAnswer, type ApiRequest, DONE, refused } from './route.ts';

export async function signIn(
  { core }: Console,
  server: string,
  { reader, signal: gone }: Pick<ApiRequest, 'reader' | 'signal'>,
): Promise<ApiAnswer> {
  const { host, desk } = core.options;
  const over = new AbortController();
  let finish = (): void => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const signal = AbortSignal.any([gone, over.signal]);
  const show = (url: URL): void => {
    const message = `Sign in to ${server} at ${url.host}.`;
    const question = readQuestion(
      { kind: 'url', message, url: url.href, waitsFor: 'done' },
      { finished: never },
    );
    if (!question.ok || question.value.kind !== 'url') return over.abort();
    const asked = desk.ask(
      {
        ...{ kind: 'page', server, client: 'console', call: undefined, message },
        ...{ url: url.href, schema: undefined, question: question.value },
        warnings: question.value.warnings,
      },
      { principal: reader.principal, owner: reader.principal, signal, done },
    );
    void asked.then((answer) => {
      if (answer?.kind === 'decline' || answer?.kind === 'cancel') over.abort();
    });
  };
  const browser = loopbackBrowser({
    show: (url) => {
      show(url);
      return Promise.resolve(ok(undefined));
    },
  });
  try {
    const outcome = await host.login(server, { way: { kind: 'browser', browser }, signal });
    if (outcome.kind === 'signed-in') {
      finish();
      await host.tools({ servers: [server], fresh: true, signal: gone });
      return DONE;
    }
    return refused(409, `${WORDS[outcome.kind]} In a terminal: plugboard login ${server}`);
  } finally {
    over.abort();
  }
}

/** The account that is signed in at a server, if any. Servers on this machine have no sign-in. */
export async function signedInAt(
  host: Host,
  { name, transport }: ServerStatus,
): Promise<SignedInView | undefined> {
  if (isLocalTransport(transport)) return undefined;
  const signIns = await host.signIns();
  const used = signIns.find(({ server, isInUse }) => server === name && isInUse);
  return used?.state.kind === 'signed-in'
    ? { account: used.account, issuer: used.state.issuer }
    : undefined;
}

/** Signs out, and reconnects, since the connection used the deleted credential. */
export async function signOut(host: Host, server: string, signal: AbortSignal): Promise<ApiAnswer> {
  const outcome = await host.logout(server, { signal });
  if (outcome.kind !== 'signed-out') {
    const reason = `What the sign-in gave could not be forgotten. In a terminal: plugboard logout ${server}`;
    return refused(409, reason);
  }
  await host.reconnect(server, { signal });
  return DONE;
}

const WORDS = {
  'not-signed-in': 'The sign-in was not completed.',
  'unknown-server': 'There is no server of this name.',
  'no-login': 'This server has no sign-in.',
  'not-prepared': 'Its entry is not complete.',
  unreached: 'The server cannot be reached, so it cannot say how to sign in.',
  barred: 'The server may not be reached.',
} as const;
