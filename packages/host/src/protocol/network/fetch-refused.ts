// The error for a URL that was not fetched, or not completely. It contains the URL without possible secrets.

import { CodedError } from '@plugboard/base';
import type { AddressRange } from './address-ranges.ts';

export type FetchProblem =
  | { readonly kind: 'not-a-url' }
  /** Plain http is allowed only on this machine, and only if the server itself is on it. */
  | { readonly kind: 'scheme'; readonly scheme: string }
  | { readonly kind: 'credentials' }
  | { readonly kind: 'address'; readonly address: string; readonly range: AddressRange }
  /** A name that exists only in a private network or inside a cloud. */
  | { readonly kind: 'inner-name' }
  | { readonly kind: 'redirected'; readonly why: 'too-often' | 'unwanted' | 'with-a-body' }
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'timed-out'; readonly ms: number }
  | { readonly kind: 'unreachable'; readonly code: string };

export class FetchRefused extends CodedError<
  'fetch-refused',
  FetchProblem & { readonly url: string }
> {
  constructor(url: string, problem: FetchProblem) {
    super('fetch-refused', `${url} was not fetched: ${wordsFor(problem)}`, {
      data: { ...problem, url },
    });
  }
}

function wordsFor(problem: FetchProblem): string {
  switch (problem.kind) {
    case 'not-a-url':
      return 'it is not a complete address';
    case 'scheme':
      return problem.scheme === 'http:'
        ? 'it is not https'
        : `its scheme is ${problem.scheme.replace(':', '')}, not https`;
    case 'credentials':
      return 'it has a user name or a password in it';
    case 'address':
      return `it leads to ${problem.address}, which a server may not send us to (${problem.range})`;
    case 'inner-name':
      return 'its host is known in an inner network only';
    case 'redirected':
      return REDIRECTED[problem.why];
    case 'too-large':
      return `the answer has more than ${problem.limit} bytes`;
    case 'timed-out':
      return `it took longer than ${problem.ms} ms`;
    case 'unreachable':
      return `it cannot be reached (${problem.code})`;
    default:
      throw new RangeError(`no such problem: ${JSON.stringify(problem satisfies never)}`);
  }
}

const REDIRECTED: Readonly<Record<'too-often' | 'unwanted' | 'with-a-body', string>> = {
  'too-often': 'it redirects too often',
  unwanted: 'it redirects',
  'with-a-body': 'it redirects what was sent to another server',
};
