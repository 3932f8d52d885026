// Adds two members that the SDK requires in results of modern servers and a client can do without:
// `resultType`, which clients must tolerate as absent, and the content of a call's result.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** Changes the message in place: it was parsed from the wire and has no other reader. */
export function assumeComplete(message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const { result } = message;
  // A server in this process may pass its own object that must not be changed.
  if (result['resultType'] === undefined && Object.isExtensible(result)) {
    result['resultType'] = 'complete';
  }
}

/** In `_meta`: the server sent no content. Readers of the result use its other members instead. */
export const LACKS_CONTENT = 'plugboard/lacks-content';

/** Does the same for the result of a call. */
export function assumeContent(message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const { result } = message;
  const { content, structuredContent, resultType = 'complete', _meta } = result;
  if (resultType !== 'complete' || !Object.isExtensible(result)) return;
  if (content !== undefined && content !== null) return;
  result['content'] = [];
  if (structuredContent === undefined) result['_meta'] = { ..._meta, [LACKS_CONTENT]: true };
}

/** The server asks for input before it answers. */
export function isQuestion(message: JSONRPCMessage): boolean {
  return 'result' in message && message.result['resultType'] === 'input_required';
}
