// The types of a relay, which passes messages between a server and a client that is not this host. Both ends are hostile.

import type { CancelSignal, JsonObject } from '@plugboard/base';
import type { Era } from './model.ts';

export type RelayReply =
  | { readonly result: JsonObject }
  | {
      readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
    };

/** The client behind a relay. */
export interface RelayPeer {
  /** The name and version of the client. */
  readonly clientInfo: JsonObject;
  /** The capabilities that the client declared. */
  readonly capabilities: JsonObject;
  /** Answers a request of a legacy server. */
  request(method: string, params: JsonObject, signal: AbortSignal): Promise<RelayReply>;
  /** Receives a notification that belongs to no request. */
  notification(method: string, params: JsonObject): void;
}

/** Receives the messages of one request on the way to its server and back. Must be quick, and must not throw. */
export interface MessageObserver {
  message(direction: 'sent' | 'received', message: object, era: Era): void;
}

export interface RelayRequestOptions {
  /** Cancels the request; the server is notified. */
  readonly signal: CancelSignal;
  /** The request fails if the server shows no sign of life for this long. */
  readonly idleMs: number;
  /** The request fails after this long, whatever progress the server reports. */
  readonly hardMs: number;
  /** The capabilities of the requesting client, if it is not the peer. Sent to modern servers only. */
  readonly capabilities?: JsonObject | undefined;
  /** The name and version of the requesting client, in the same way. */
  readonly clientInfo?: JsonObject | undefined;
  /** Sent over Streamable HTTP of the modern era. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Receives notifications of this request, such as progress. Their token is not the client's. */
  readonly onNotification?: ((method: string, params: JsonObject) => void) | undefined;
  readonly observer?: MessageObserver | undefined;
}
