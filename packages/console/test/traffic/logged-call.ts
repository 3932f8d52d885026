import type { CallView } from '@plugboard/gateway/console-api';
import type { LoggedCall } from '../../src/store/call-log.ts';

/** A call as the page knows it: an `echo` that took a millisecond, unless given. */
export function logged(given: Partial<CallView> = {}): LoggedCall {
  const call: CallView = {
    id: '1',
    at: 0,
    ms: 1,
    client: 'c1',
    clientName: 'test',
    clientEra: 'modern',
    method: 'tools/call',
    subject: 'echo',
    server: 'one',
    serverEra: 'legacy',
    state: 'ok',
    problem: undefined,
    bytes: 100,
    messages: 4,
    replayOf: undefined,
    ...given,
  };
  return { call, haystack: undefined };
}
