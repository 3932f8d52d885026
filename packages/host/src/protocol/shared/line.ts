// The ports of a switchboard, which connects several hosts, each at the end of a line, to one server.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { RequestId } from '../frame/failed-answer.ts';
import type { ProtocolFailure } from '../neutral/failure.ts';
import type { SharedIdentity } from './terms.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A host, as the switchboard sees it. */
export interface Line {
  deliver(message: JSONRPCMessage): void;
  /** Reports that the answer to a request could not be passed on. */
  fail(id: RequestId, failure: ProtocolFailure): void;
}

export interface SwitchboardPorts extends Pick<SharedIdentity, 'roots' | 'grants'> {
  readonly toServer: (message: JSONRPCMessage) => void;
  /** Logs for people why something was not passed on. */
  readonly note: (text: string) => void;
}
