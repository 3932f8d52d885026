// What a relay passes between a server and a client that is not this host. Both ends are hostile to it.

import type { CancelSignal, JsonObject } from '@plugboard/base';
import type { Era } from './model.ts';

export type RelayReply =
  | { readonly result: JsonObject }
  | {
      readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
    };

/** The client behind a relay. */
export interface RelayPeer {
  /** How it introduced itself. */
  readonly clientInfo: JsonObject;
  /** What it declared that it can be asked. */
  readonly capabilities: JsonObject;
  /** A legacy server asks something. */
  request(method: string, params: JsonObject, signal: AbortSignal): Promise<RelayReply>;
  /** A notification that belongs to no request. */
  notification(method: string, params: JsonObject): void;
}

/** Receives the messages of one request on the way to its server and back. Must be quick, and must not throw. */
export interface MessageObserver {
  message(direction: 'sent' | 'received', message: object, era: Era): void;
}

export interface RelayRequestOptions {
  /** Gives the request up; the server is told. */
  readonly signal: CancelSignal;
  /** The request fails when the server shows no sign of life for this long. */
  readonly idleMs: number;
  /** The request fails after this long, whatever the server shows. */
  readonly hardMs: number;
  /** Of the client that asks, where it is not that of the peer. Only modern servers hear of it. */
  readonly capabilities?: JsonObject | undefined;
  /** The same, of how it introduced itself. */
  readonly clientInfo?: JsonObject | undefined;
  /** Over Streamable HTTP of the modern era. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Receives what belongs to this request, such as its progress. The token is not the client's. */
  readonly onNotification?: ((method: string, params: JsonObject) => void) | undefined;
  readonly observer?: MessageObserver | undefined;
}
