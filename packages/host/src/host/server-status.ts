// A server as the embedding program sees it: plain data, without access to a session that could call a tool
// around the pipeline.

import type { Instant } from '@plugboard/base';
import { modelText } from '../catalog/index.ts';
import type { Origin, Scope, TransportName } from '../config/index.ts';
import { type ConnectionState, type NextStep, nextStep } from '../connection/index.ts';
import type { Era, ServerIdentity } from '../protocol/index.ts';

export type ServerTransport = Exclude<TransportName, 'sdk'> | 'in-process';

export type ServerState =
  | Exclude<ConnectionState, { readonly kind: 'ready' }>
  | {
      readonly kind: 'ready';
      readonly since: Instant;
      readonly era: Era;
      readonly protocolVersion: string;
      readonly server: ServerIdentity | undefined;
      /** Shortened for a model. */
      readonly instructions: string | undefined;
      /** The complete instructions, if they were cut. */
      readonly fullInstructions?: string;
    };

export interface ServerStatus {
  readonly name: string;
  readonly scope: Scope;
  readonly origin: Origin;
  readonly transport: ServerTransport;
  readonly isRequired: boolean;
  /** Models always get its tools, regardless of the number of tools. */
  readonly isAlwaysLoaded: boolean;
  readonly state: ServerState;
  readonly next: NextStep;
}

export type ServerFacts = Omit<ServerStatus, 'state' | 'next'>;

export function statusOf(facts: ServerFacts, state: ConnectionState): ServerStatus {
  return { ...facts, state: publicState(state), next: nextStep(state) };
}

function publicState(state: ConnectionState): ServerState {
  if (state.kind !== 'ready') return state;
  const { era, protocolVersion, server, instructions: given } = state.session;
  const { text, whole } = modelText(given ?? '', 'fullInstructions');
  const instructions = given === undefined ? undefined : text;
  const { since } = state;
  return { kind: 'ready', since, era, protocolVersion, server, instructions, ...whole };
}
