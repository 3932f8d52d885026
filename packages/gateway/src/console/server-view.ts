// A server as the console shows it. Pure.

import type { Host, ServerState, ServerStatus } from '@plugboard/host';
import { type CatalogTool, failureText, shortageOf } from '@plugboard/host/relay';
import { toolTokens } from '@plugboard/host/adapters';
import type { ServerView } from '../console-api.ts';
import type { ServerFigures } from '../traffic/index.ts';

export interface ServerFacts {
  readonly tools: readonly CatalogTool[];
  readonly quarantined: Host['quarantined'];
  readonly traffic: ServerFigures;
  /** The failure of connections for clients; the gateway's own connection may work. */
  readonly failure: Parameters<typeof failureText>[0] | undefined;
}

export function serverView(status: ServerStatus, known: ServerFacts): ServerView {
  const { name, transport, origin, state } = status;
  const ready = state.kind === 'ready' ? state : undefined;
  const tools = known.tools.filter(({ server }) => server === name);
  return {
    name,
    title: ready?.server?.name,
    version: ready?.server?.version,
    transport,
    source: origin.kind === 'file' ? `${origin.file}:${origin.line}` : origin.by,
    state: state.kind,
    problem: problemOf(state) ?? (known.failure && problemWords(known.failure)),
    command: commandFor(status) ?? (known.failure && repairCommand(name, known.failure)),
    era: ready?.era,
    protocolVersion: ready?.protocolVersion,
    tools: tools.length,
    tokens: tools.reduce((sum, tool) => sum + tokensOf(tool), 0),
    quarantined: known.quarantined.filter(({ server }) => server === name).length,
    ...known.traffic,
  };
}

/** Continues a sentence that begins with the name of the server. */
function problemOf(state: ServerState): string | undefined {
  switch (state.kind) {
    case 'failed':
    case 'waiting':
      return problemWords(state.failure);
    case 'needs-auth':
      return state.reason === undefined
        ? 'does not take the key that its entry has'
        : 'needs you to sign in';
    case 'untrusted':
      return 'came with a folder or a plugin, and is not approved';
    case 'blocked':
      return 'is blocked by a policy of this machine';
    case 'disabled':
      return 'is disabled';
    default:
      return undefined;
  }
}

/** The text for models, but with the missing program, which a person can install. */
export function problemWords(failure: Parameters<typeof failureText>[0]): string {
  if (failure.kind === 'command-not-found') {
    return `could not be started: the command "${failure.command.slice(0, LONGEST_NAME)}" is not installed, or not on the PATH.`;
  }
  const shortage = shortageOf(failure);
  return shortage === undefined ? failureText(failure) : `${failureText(failure)}; ${shortage}`;
}

const LONGEST_NAME = 200;

/** `undefined` if the gateway ran out of a resource, since a diagnosis of the server does not help then. */
function repairCommand(
  name: string,
  failure: Parameters<typeof failureText>[0],
): string | undefined {
  return shortageOf(failure) === undefined ? `plugboard doctor ${name}` : undefined;
}

export function commandFor({ name, next, state }: ServerStatus): string | undefined {
  switch (next) {
    case 'enable':
      return `plugboard enable ${name}`;
    case 'trust':
      return `plugboard trust ${name}`;
    case 'sign-in':
      return `plugboard login ${name}`;
    case 'repair':
      return 'failure' in state ? repairCommand(name, state.failure) : `plugboard doctor ${name}`;
    default:
      return undefined;
  }
}

const counted = new WeakMap<object, number>();

/** Counts the tokens of each definition once. */
export function tokensOf({ name, definition }: CatalogTool): number {
  const known = counted.get(definition);
  if (known !== undefined) return known;
  const { description = '', inputSchema } = definition;
  const tokens = toolTokens({ name, description, inputSchema });
  counted.set(definition, tokens);
  return tokens;
}
