// The states of servers, as far as they concern a conversation: one word each, and the reason if one cannot be used. Pure.

import type { ServerState, ServerStatus } from '@plugboard/host';
import type { ServerNote } from '../conversation/index.ts';

export interface ListState {
  /** The number of its tools; `undefined` before it was listed. */
  readonly tools: number | undefined;
  /** Why it could not be listed. */
  readonly problem: string | undefined;
}

export function serverNotes(
  servers: readonly ServerStatus[],
  listStateOf: (server: string) => ListState,
): readonly ServerNote[] {
  return servers.flatMap(({ name, state }): readonly ServerNote[] => {
    const known = listStateOf(name);
    const note = noteState(state, known);
    if (note === undefined) return [];
    // A server that the user or a policy keeps from starting has no tools, even if some were listed before.
    const isBarred = state.kind === 'untrusted' || state.kind === 'blocked';
    return [{ server: name, tools: isBarred ? 0 : (known.tools ?? 0), ...note }];
  });
}

type StateNote = Pick<ServerNote, 'state' | 'reason'>;

/** `undefined` for a server that the user has disabled. */
function noteState(state: ServerState, { tools, problem }: ListState): StateNote | undefined {
  switch (state.kind) {
    case 'disabled':
      return undefined;
    case 'untrusted':
      return { state: 'down', reason: 'the user has not approved it' };
    case 'blocked':
      return { state: 'down', reason: 'a policy blocks it' };
    case 'needs-auth':
      return { state: 'needs-sign-in' };
    case 'waiting':
    case 'failed':
      return { state: 'down', reason: inWords(state.failure.kind) };
    case 'connecting':
      return { state: 'connecting' };
    case 'idle':
    case 'ready':
      if (tools !== undefined) return { state: 'ready' };
      return problem === undefined ? { state: 'connecting' } : { state: 'down', reason: problem };
    default:
      return state satisfies never;
  }
}

/** `crash-loop` becomes `crash loop`. */
export function inWords(kind: string): string {
  return kind.replaceAll('-', ' ');
}
