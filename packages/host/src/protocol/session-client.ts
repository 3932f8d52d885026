// What a session needs of a client: the SDK's, or the one of a legacy server on one stream.

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
  /** Only of methods that the SDK knows: it has their schemas, and the legacy client takes none. */
  setRequestHandler<M extends RequestMethod>(
    method: M,
    answer: (
      request: RequestTypeMap[M],
      context: ClientContext,
    ) => HandlerResultTypeMap[M] | Promise<HandlerResultTypeMap[M]>,
  ): void;
  /** The time limits of all requests, where they can be suspended; those of the SDK's client cannot. */
  readonly limits?: PausableTimer;
};

/** A schema that accepts anything, for results that are checked elsewhere. */
export const PASS_THROUGH: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'plugboard', validate: (value) => ({ value }) },
};
