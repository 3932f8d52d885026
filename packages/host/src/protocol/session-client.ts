// The client interface that a session uses. The SDK's client and `LegacyClient` implement it.

import type {
  Client,
  ClientContext,
  HandlerResultTypeMap,
  RequestMethod,
  RequestTypeMap,
  StandardSchemaV1,
} from '@modelcontextprotocol/client';
import type { PausableTimer } from './patience.ts';

export type SessionClient = Pick<
  Client,
  | 'connect'
  | 'close'
  | 'onclose'
  | 'request'
  | 'listen'
  | 'getProtocolEra'
  | 'getNegotiatedProtocolVersion'
  | 'getServerCapabilities'
  | 'getServerVersion'
  | 'getInstructions'
  | 'setNotificationHandler'
  | 'fallbackNotificationHandler'
  | 'setLoggingLevel'
  | 'sendRootsListChanged'
> & {
  /** Only for methods that the SDK defines: it has their schemas, and the legacy client accepts none. */
  setRequestHandler<M extends RequestMethod>(
    method: M,
    answer: (
      request: RequestTypeMap[M],
      context: ClientContext,
    ) => HandlerResultTypeMap[M] | Promise<HandlerResultTypeMap[M]>,
  ): void;
  /** Pauses the time limits of all requests. The SDK's client cannot do this. */
  readonly limits?: PausableTimer;
};

/** A schema that accepts anything, for results that are checked elsewhere. */
export const PASS_THROUGH: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'plugboard', validate: (value) => ({ value }) },
};
