// The answer of an endpoint, as data. Faults change an answer afterwards; endpoints do not know about them.

import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@plugboard/base';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An OAuth error. */
export interface OAuthError {
  readonly error: string;
  readonly description?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function json(body: JsonObject, status = 200): Answer {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}

export function html(body: string, status = 200): Answer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

export function redirect(location: string, status: 302 | 303 | 307 | 308 = 302): Answer {
  return { status, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

export function empty(status: number): Answer {
  return { status, headers: {}, body: '' };
}

export function oauthError({ error, description, status, headers }: OAuthError): Answer {
  const told = description === undefined ? {} : { error_description: description };
  const answer = json({ error, ...told }, status ?? 400);
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

export function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers).end(body);
}
