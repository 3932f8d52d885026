// The headers of a modern request, which repeat parts of its body: where they disagree, a server before or after this one
// could have decided about another request than the one that is carried out.

import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject } from '@plugboard/base';
import { parameterHeaders } from '@plugboard/host/relay';
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
  // A value that cannot be read is undefined, like a name that the body does not have.
  return typeof params[key] === 'string' && decoded(name) === params[key]
    ? undefined
    : mismatch('The header Mcp-Name differs from the body');
}

const PARAMETER = 'mcp-param-';

/** Of a call: the headers that repeat arguments, as the schema of the tool wants it. */
export function parameterProblem(
  headers: IncomingHttpHeaders,
  { params }: RpcRequest,
  inputSchema: JsonObject | undefined,
): RpcReply | undefined {
  const given = isObject(params['arguments']) ? params['arguments'] : {};
  const wanted = Object.entries(parameterHeaders(inputSchema, given));
  const sent = Object.keys(headers).filter((name) => name.startsWith(PARAMETER));
  // So it is with most calls.
  if (wanted.length === 0 && sent.length === 0) return undefined;
  const expected = new Map(wanted.map(([name, value]) => [name.toLowerCase(), value]));
  for (const name of new Set([...sent, ...expected.keys()])) {
    const value = expected.get(name);
    const header = headers[name];
    const isSame =
      value !== undefined && typeof header === 'string' && decoded(header) === decoded(value);
    if (!isSame) return mismatch(`The header ${name.slice(0, 100)} differs from the arguments`);
  }
  return undefined;
}

function mismatch(message: string): RpcReply {
  return failed(HEADER_MISMATCH, message);
}

/** Values that a header cannot hold as they are come as Base64 in their own frame, in one way only. */
function decoded(value: string): string | undefined {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}
