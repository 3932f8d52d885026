// An address of the console's API, and what is answered there. Each part of the console brings its own.

import type { Json } from '@plugboard/base';
import type { Reader } from '../client/index.ts';

export interface ApiRequest {
  readonly reader: Reader;
  /** The parts of the path that stand for something, decoded. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  /** Of a POST. */
  readonly body: Json | undefined;
  /** Aborts when the reader is gone. */
  readonly signal: AbortSignal;
}

export type ApiAnswer =
  | { readonly kind: 'json'; readonly body: object }
  /** Done, with nothing to say. */
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
  /** After `/console/api`; `*` is any one segment. */
  readonly path: string;
  /** How much a body may be: 1 MiB, by default. */
  readonly maxBytes?: number;
  readonly answer: (request: ApiRequest) => ApiAnswer | Promise<ApiAnswer>;
}

/** What stands for `*` in a path that is of this route. */
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
