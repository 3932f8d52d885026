import type { CallView } from '@plugboard/gateway/console-api';
import type { LoggedCall } from '../../src/store/call-log.ts';

/** A call in the log: by default, an `echo` that took a millisecond. */
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
