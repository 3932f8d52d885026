// The row of a server in the panel: its state in a word and a line, and the actions for it.

import type { HostTool, ServerStatus } from '@plugboard/host';
import {
  BUILT_IN_SERVERS,
  type HostEnvironment,
  isLocalTransport,
  WORKSPACE,
} from '@plugboard/host/configuration';
import { place } from '../print/place.ts';
import { unavailableError } from '../print/unavailable.ts';
import type { ServerAction, ServerRow } from './chat.ts';

export interface RowFacts {
  readonly tools: readonly HostTool[];
  readonly from: HostEnvironment;
}

export function serverRow(status: ServerStatus, { tools, from }: RowFacts): ServerRow {
  const { name, origin } = status;
  const isBuiltIn = BUILT_IN_SERVERS.some((builtIn) => builtIn === name);
  const { state, detail } = rowStatus(status, from);
  return {
    name,
    state,
    ...(detail === undefined ? {} : { detail }),
    tools: tools.filter(({ server }) => server === name).length,
    source: isBuiltIn ? 'built in' : place(origin, from),
    actions: actionsOf(status),
  };
}

type RowStatus = Pick<ServerRow, 'state' | 'detail'>;

function rowStatus({ name, origin, state }: ServerStatus, from: HostEnvironment): RowStatus {
  switch (state.kind) {
    case 'idle':
    case 'disabled':
      return { state: state.kind };
    case 'connecting':
      return state.installing === undefined
        ? { state: 'connecting' }
        : { state: 'connecting', detail: `${state.installing} is fetching its package` };
    case 'ready':
      return { state: 'ready', detail: identity(state) };
    case 'needs-auth':
      return { state: 'needs-sign-in', detail: 'press l to sign in' };
    case 'waiting':
      return { state: 'connecting', detail: 'was lost; it will be tried again' };
    case 'untrusted':
      return {
        state: 'blocked',
        detail: 'not trusted yet: press Enter to see what it starts, and to trust it',
      };
    case 'blocked':
      return { state: 'blocked', detail: 'kept out by a policy: plugboard explain ' + name };
    case 'failed': {
      const subject = { server: name, where: place(origin, from), from };
      return { state: 'failed', detail: unavailableError(subject, state.failure).message };
    }
    default:
      return state satisfies never;
  }
}

function identity(state: Extract<ServerStatus['state'], { readonly kind: 'ready' }>): string {
  const { server, protocolVersion } = state;
  const who = server === undefined ? [] : [`${server.name} ${server.version}`];
  return [...who, `MCP ${protocolVersion}`].join(' · ');
}

function actionsOf({ name, state, transport }: ServerStatus): readonly ServerAction[] {
  if (state.kind === 'blocked' || state.kind === 'untrusted') return [];
  if (state.kind === 'disabled') return ['enable'];
  return [
    'reconnect',
    ...(isLocalTransport(transport) ? [] : (['login', 'logout'] as const)),
    // The chat depends on it.
    ...(name === WORKSPACE ? [] : (['disable'] as const)),
  ];
}
