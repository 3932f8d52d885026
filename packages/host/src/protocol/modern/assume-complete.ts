// Adds two members that the SDK requires in results of modern servers, although a client can do without them:
// `resultType`, whose absence clients must tolerate, and the content of a call's result.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** Changes the message in place: it was parsed from the wire and has no other reader. */
export function assumeComplete(message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const { result } = message;
  // An in-process server may pass a frozen object.
  if (result['resultType'] === undefined && Object.isExtensible(result)) {
    result['resultType'] = 'complete';
  }
}

/** A key in `_meta`: the server sent no content, and readers use the other members of the result. */
export const LACKS_CONTENT = 'plugboard/lacks-content';

/** Adds content to the result of a call that has none. */
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
