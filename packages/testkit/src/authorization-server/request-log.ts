// Records the requests of clients unchanged: tests search it for leaked tokens, and count requests.

import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '@plugboard/base';

export type Endpoint =
  | 'metadata'
  | 'resource-metadata'
  | 'jwks'
  | 'authorization'
  | 'decision'
  | 'token'
  | 'registration'
  | 'device-authorization'
  | 'device'
  | 'revocation'
  | 'mcp'
  /** A document that the test published. */
  | 'published'
  /** A path that no client should request. */
  | 'unknown';

export interface LoggedRequest {
  readonly endpoint: Endpoint;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The fields of the query and of the form or JSON body; only strings of JSON. */
  readonly parameters: Parameters;
}

/** The known parameters of OAuth, and any others. */
export type Parameters = { readonly [name: string]: string | undefined } & {
  readonly [Name in ParameterName]?: string;
};

type ParameterName =
  | 'assertion'
  | 'audience'
  | 'client_assertion'
  | 'client_assertion_type'
  | 'client_id'
  | 'client_secret'
  | 'code'
  | 'code_challenge'
  | 'code_challenge_method'
  | 'code_verifier'
  | 'decision'
  | 'device_code'
  | 'dpop_jkt'
  | 'grant_type'
  | 'nonce'
  | 'redirect_uri'
  | 'refresh_token'
  | 'requested_token_type'
  | 'resource'
  | 'response_type'
  | 'scope'
  | 'state'
  | 'subject_token'
  | 'subject_token_type'
  | 'ticket'
  | 'token'
  | 'user_code';

/** Selects the requests to count: all given fields have to match. */
export interface RequestFilter {
  readonly endpoint?: Endpoint;
  readonly grantType?: string;
  readonly method?: string;
}

export function logged(request: Omit<LoggedRequest, 'parameters'>): LoggedRequest {
  const query = new URLSearchParams(request.path.split('?')[1] ?? '');
  const fields = fieldsOf(request.headers, request.body);
  return { ...request, parameters: { ...Object.fromEntries(query), ...fields } };
}

export function fits(request: LoggedRequest, filter: RequestFilter): boolean {
  const { endpoint, grantType, method } = filter;
  if (endpoint !== undefined && request.endpoint !== endpoint) return false;
  if (method !== undefined && request.method !== method) return false;
  return grantType === undefined || request.parameters.grant_type === grantType;
}

function fieldsOf(headers: IncomingHttpHeaders, body: string): Record<string, string> {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(body));
  }
  const value = type.startsWith('application/json') ? parsed(body) : undefined;
  if (!isObject(value)) return {};
  const texts = Object.entries(value).filter(([, field]) => typeof field === 'string');
  return Object.fromEntries(texts) as Record<string, string>;
}

export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Invalid JSON counts as no body.
    return undefined;
  }
}
