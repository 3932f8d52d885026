// A result that does not say what kind of result it is, is a complete one. The SDK refuses such results
// from modern servers, though clients are told to accept them; so the word is added before it looks.

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
