// What a session needs of a client: the SDK's, or the light one that speaks to a server which is known already.

import type { Client } from '@modelcontextprotocol/client';
import type { CallLane } from './call-lane.ts';
import type { JudgeSdkError } from './classify.ts';

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
  | 'setRequestHandler'
  | 'setNotificationHandler'
  | 'fallbackNotificationHandler'
  | 'setLoggingLevel'
  | 'sendRootsListChanged'
>;

export interface MadeClient {
  readonly client: SessionClient;
  /** Of the SDK's client. */
  readonly judge?: JudgeSdkError;
  /** The one that the client has of its own, once it is connected. */
  readonly lane?: () => CallLane | undefined;
}
