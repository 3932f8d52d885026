// What the SDK refuses in results of modern servers and a client can do without: the word that says what kind of
// result it is, which clients are told to do without, and the content of a call's result. Both are added before the SDK
// looks.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** Changes the message itself: it was made from the wire for nobody else. */
export function assumeComplete(message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const { result } = message;
  // A server of this process may hand over an object of its own that must not be touched.
  if (result['resultType'] === undefined && Object.isExtensible(result)) {
    result['resultType'] = 'complete';
  }
}

/** In `_meta`: the server sent no content. Whoever reads the result finds what it sent instead. */
export const LACKS_CONTENT = 'plugboard/lacks-content';

/** The same for the result of a call. */
export function assumeContent(message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const { result } = message;
  const { content, structuredContent, resultType = 'complete', _meta } = result;
  if (resultType !== 'complete' || !Object.isExtensible(result)) return;
  if (content !== undefined && content !== null) return;
  result['content'] = [];
  if (structuredContent === undefined) result['_meta'] = { ..._meta, [LACKS_CONTENT]: true };
}

/** The server wants to know something before it answers. */
export function isQuestion(message: JSONRPCMessage): boolean {
  return 'result' in message && message.result['resultType'] === 'input_required';
}
