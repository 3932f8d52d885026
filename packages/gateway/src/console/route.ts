// A route of the console's API. Each part of the console has its own routes.

import type { Json } from '@plugboard/base';
import type { Reader } from '../client/index.ts';

export interface ApiRequest {
  readonly reader: Reader;
  /** The decoded segments of the path that match `*`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  /** Only for a POST. */
  readonly body: Json | undefined;
  /** Aborts when the reader disconnects. */
  readonly signal: AbortSignal;
}

export type ApiAnswer =
  | { readonly kind: 'json'; readonly body: object }
  /** Succeeded, without a body. */
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly status: 400 | 403 | 404 | 409; readonly reason: string };

type RefusedAnswer = Extract<ApiAnswer, { readonly kind: 'refused' }>;

export function refused(status: RefusedAnswer['status'], reason: string): RefusedAnswer {
  return { kind: 'refused', status, reason };
}

export const DONE: ApiAnswer = { kind: 'done' };
export const NO_SERVER = refused(404, 'There is no server of this name');
export const ONLY_ADMINISTRATORS = refused(403, 'Only an administrator can do this');

export interface Route {
  readonly method: 'GET' | 'POST';
  /** After `/console/api`; `*` matches any one segment. */
  readonly path: string;
  /** The limit of the body: 1 MiB by default. */
  readonly maxBytes?: number;
  readonly answer: (request: ApiRequest) => ApiAnswer | Promise<ApiAnswer>;
}

/** The segments that match `*` if the path belongs to this route. */
export function partsOf({ path }: Pick<Route, 'path'>, given: string): string[] | undefined {
  const wanted = path.split('/');
  const segments = given.split('/');
  if (wanted.length !== segments.length) return undefined;
  const parts: string[] = [];
  for (const [index, segment] of segments.entries()) {
    if (wanted[index] !== '*') {
      if (wanted[index] !== segment) return undefined;
      continue;
    }
    const decoded = decodedSegment(segment);
    if (decoded === undefined || decoded === '') return undefined;
    parts.push(decoded);
  }
  return parts;
}

function decodedSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
