// Determines the kind of a message from its members alone. Every message is checked here, and fully by the SDK later.

import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResultResponse,
} from '@modelcontextprotocol/client';

export function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

export function isAnswer(
  message: JSONRPCMessage,
): message is JSONRPCResultResponse | JSONRPCErrorResponse {
  return 'result' in message || 'error' in message;
}

export function isErrorAnswer(message: JSONRPCMessage): message is JSONRPCErrorResponse {
  return 'error' in message;
}
