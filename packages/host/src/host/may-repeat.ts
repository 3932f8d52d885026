// Whether a call that was lost with its connection may be sent again. A server that has forgotten
// the session, or does not take the credentials, did nothing with the call; one that died may have done all of it, so then only a call
// that changes nothing, or nothing more the second time, is repeated. Pure.

import type { ProtocolFailure, ToolDefinition } from '../protocol/index.ts';

export function mayRepeat(
  { annotations }: Pick<ToolDefinition, 'annotations'>,
  failure: ProtocolFailure,
): boolean {
  switch (failure.kind) {
    case 'session-expired':
    case 'credentials-expired':
      return true;
    case 'exited':
    case 'closed':
    case 'unreachable':
      return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
    default:
      return false;
  }
}
