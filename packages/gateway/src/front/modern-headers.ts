// The headers of a modern request, which repeat parts of its body: where they disagree, a server before or after this one
// could have decided about another request than the one that is carried out.

import type { IncomingHttpHeaders } from 'node:http';
import {
  failed,
  HEADER_MISMATCH,
  metaOf,
  PROTOCOL_VERSION,
  type RpcReply,
  type RpcRequest,
} from '../message/index.ts';

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

export function headerProblem(
  headers: IncomingHttpHeaders,
  { method, params }: RpcRequest,
): RpcReply | undefined {
  const version = headers['mcp-protocol-version'];
  if (version === undefined) return mismatch('The header MCP-Protocol-Version is missing');
  const { [PROTOCOL_VERSION]: said } = metaOf(params);
  // A body without it is refused for that.
  if (said !== undefined && version !== said) {
    return mismatch('The header MCP-Protocol-Version differs from the body');
  }
  if (headers['mcp-method'] === undefined) return mismatch('The header Mcp-Method is missing');
  if (headers['mcp-method'] !== method)
    return mismatch('The header Mcp-Method differs from the body');
  const key = NAMED_BY.get(method);
  if (key === undefined) return undefined;
  const name = headers['mcp-name'];
  if (typeof name !== 'string') return mismatch('The header Mcp-Name is missing');
  return decoded(name) === params[key]
    ? undefined
    : mismatch('The header Mcp-Name differs from the body');
}

function mismatch(message: string): RpcReply {
  return failed(HEADER_MISMATCH, message);
}

/** Values that a header cannot hold as they are come as Base64 in a frame of their own. */
function decoded(value: string): string {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value.trim()) ?? [];
  return encoded === undefined ? value.trim() : Buffer.from(encoded, 'base64').toString('utf8');
}
