// The actions in the panel of servers. They use the code of the commands with the same names, and show their output as
// notices.

import { eitherRedirect, type Host, openBrowser } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import type { Notice, ServerAction } from '../chat/index.ts';
import type { Context } from '../context.ts';
import { authorizationError } from '../print/authorization-error.ts';
import { outcomeError } from '../print/outcome.ts';
import { subjectOf } from '../print/subject.ts';
import { quietly } from './quietly.ts';
import { untilAborted } from './until-aborted.ts';
import { switchServer } from './switch-server.ts';

export interface ActionOptions {
  readonly context: Context;
  readonly host: Host;
  /** Reports the progress of long actions, such as signing in. */
  readonly notice: (notice: Notice) => void;
  readonly signal: AbortSignal;
}

export async function actOn(
  server: string,
  action: ServerAction,
  options: ActionOptions,
): Promise<Notice> {
  switch (action) {
    case 'reconnect':
      return reconnect(server, options);
    case 'enable':
    case 'disable':
      return switchTo(server, action === 'enable' ? 'enabled' : 'disabled', options);
    case 'login':
      return signIn(server, options);
    case 'logout':
      return signOut(server, options);
    default:
      return action satisfies never;
  }
}

async function reconnect(server: string, { host, signal }: ActionOptions): Promise<Notice> {
  const { tools, problems } = await host.reconnect(server, { signal });
  const problem = problems.find((outcome) => outcome.kind !== 'result');
  if (problem === undefined) {
    const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
    return { level: 'info', text: `${server} is connected: ${count}` };
  }
  const { message, fix } = outcomeError(problem, subjectOf(host, server));
  return { level: 'error', text: message, fix };
}

/** Only edits the file. The host notices the change. */
async function switchTo(
  name: string,
  to: 'enabled' | 'disabled',
  { context }: ActionOptions,
): Promise<Notice> {
  const { columns } = context.terminal.err;
  const switched = await quietly(context, columns, (quiet) =>
    switchServer(quiet, { name, to, scope: undefined }),
  );
  if (switched.ok) return { level: 'info', text: switched.value };
  const { message, ...rest } = switched.error;
  return { level: 'error', text: message, ...rest };
}

async function signIn(server: string, options: ActionOptions): Promise<Notice> {
  const { host, notice, signal } = options;
  const environment = hostEnvironment();
  const browser = eitherRedirect({
    show: async (url) => {
      notice({ level: 'info', text: `to sign in to ${server}, open ${url.href}` });
      await openBrowser(url.href, { environment });
    },
    // The redirect arrives by itself; the chat has no prompt for pasting an address.
    ask: untilAborted,
  });
  const outcome = await host.login(server, { way: { kind: 'browser', browser }, signal });
  if (outcome.kind === 'signed-in') return reconnect(server, options);
  if (outcome.kind === 'not-signed-in') {
    const { message, fix } = authorizationError(outcome.problem, subjectOf(host, server));
    return { level: 'error', text: message, fix };
  }
  return {
    level: 'error',
    text: `${server} cannot be signed in to`,
    fix: `plugboard login ${server}`,
  };
}

async function signOut(server: string, { host }: ActionOptions): Promise<Notice> {
  const outcome = await host.logout(server);
  if (outcome.kind !== 'signed-out') {
    return {
      level: 'error',
      text: `${server} was not signed out of`,
      fix: `plugboard logout ${server}`,
    };
  }
  const text = outcome.wasSignedIn
    ? `signed out of ${server}`
    : `you were not signed in to ${server}`;
  return { level: 'info', text };
}
