// Checks the headers of a modern request, which repeat parts of its body. If they differed, a proxy before or after this
// gateway could decide about another request than the one that is carried out.

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
  const { [PROTOCOL_VERSION]: inBody } = metaOf(params);
  // A body without a version is refused elsewhere.
  if (inBody !== undefined && version !== inBody) {
    return mismatch('The header MCP-Protocol-Version differs from the body');
  }
  if (headers['mcp-method'] === undefined) return mismatch('The header Mcp-Method is missing');
  if (headers['mcp-method'] !== method)
    return mismatch('The header Mcp-Method differs from the body');
  const key = NAMED_BY.get(method);
  if (key === undefined) return undefined;
  const name = headers['mcp-name'];
  if (typeof name !== 'string') return mismatch('The header Mcp-Name is missing');
  // `decodeValue` returns `undefined` for an invalid value, which must not equal a missing name.
  return typeof params[key] === 'string' && decodeValue(name) === params[key]
    ? undefined
    : mismatch('The header Mcp-Name differs from the body');
}

const PARAMETER = 'mcp-param-';

/** Checks the headers of a call that repeat arguments, as the schema of the tool requires. */
export function parameterProblem(
  headers: IncomingHttpHeaders,
  { params }: RpcRequest,
  inputSchema: JsonObject | undefined,
): RpcReply | undefined {
  const given = isObject(params['arguments']) ? params['arguments'] : {};
  const required = Object.entries(parameterHeaders(inputSchema, given));
  const sent = Object.keys(headers).filter((name) => name.startsWith(PARAMETER));
  // Most calls have none.
  if (required.length === 0 && sent.length === 0) return undefined;
  const expected = new Map(required.map(([name, value]) => [name.toLowerCase(), value]));
  for (const name of new Set([...sent, ...expected.keys()])) {
    const value = expected.get(name);
    const header = headers[name];
    const isSame =
      value !== undefined &&
      typeof header === 'string' &&
      decodeValue(header) === decodeValue(value);
    if (!isSame) return mismatch(`The header ${name.slice(0, 100)} differs from the arguments`);
  }
  return undefined;
}

function mismatch(message: string): RpcReply {
  return failed(HEADER_MISMATCH, message);
}

/** Decodes values that are sent as Base64 because a header cannot hold them; accepts only the canonical form. */
function decodeValue(value: string): string | undefined {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}
