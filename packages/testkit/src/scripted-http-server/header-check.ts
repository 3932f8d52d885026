// Checks that the headers of a modern request match its body. Pure.

import type { IncomingHttpHeaders } from 'node:http';
import { VERSION_KEY } from '../scripted-server/era.ts';
import {
  HEADER_MISMATCH,
  type IncomingRequest,
  objectOf,
  type RpcError,
} from '../scripted-server/json-rpc.ts';
import { isTaskMethod } from '../scripted-server/task-desk.ts';

/** The error for a mismatch, if any. */
export function headerMismatch(
  headers: IncomingHttpHeaders,
  request: IncomingRequest,
): RpcError | undefined {
  const expected: [string, unknown][] = [
    ['mcp-protocol-version', objectOf(request.params['_meta'])[VERSION_KEY]],
    ['mcp-method', request.method],
  ];
  if (request.method === 'tools/call') expected.push(['mcp-name', request.params['name']]);
  if (isTaskMethod(request.method)) expected.push(['mcp-name', request.params['taskId']]);
  const wrong = expected.find(([name, value]) => decoded(headers[name]) !== value);
  if (wrong === undefined) return undefined;
  return { code: HEADER_MISMATCH, message: `Header ${wrong[0]} does not match the body` };
}

/** Decodes the base64 form of values that a header cannot contain. */
function decoded(value: string | string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}
