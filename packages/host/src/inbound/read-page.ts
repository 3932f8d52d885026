// Examines the address of a page before the user is asked to visit it: the complete address, its host, and what may
// mislead the user. Nothing is fetched. Pure.

import { err, ok, type Result } from '@plugboard/base';
import { domainToUnicode } from 'node:url';
import { type UrlRefusal, urlRefusal } from '../platform/index.ts';

export interface Page {
  /** The complete address as it would be opened. */
  readonly url: string;
  /** With its port, if it has one. */
  readonly host: string;
  /** The host in Unicode, if it has characters other than ASCII. */
  readonly readsAs: string | undefined;
  readonly warnings: readonly PageWarning[];
}

export type PageWarning =
  /** Its host has letters of other alphabets, which may look like those of another host. */
  | 'punycode'
  /** An IP address does not identify an owner. */
  | 'ip-address'
  /** It leads to a program on this machine. */
  | 'this-machine';

export function readPage(url: string): Result<Page, UrlRefusal> {
  const refusal = urlRefusal(url);
  if (refusal !== undefined) return err(refusal);
  const { href, host, hostname } = new URL(url);
  const isForeign = hostname.split('.').some((label) => label.startsWith('xn--'));
  const isLocal = hostname === 'localhost' || /^127\.|^\[::1\]$/.test(hostname);
  const isNumber = /^\[|^\d+(?:\.\d+){3}$/.test(hostname);
  return ok({
    url: href,
    host,
    readsAs: isForeign ? domainToUnicode(hostname) : undefined,
    warnings: [
      ...(isForeign ? (['punycode'] as const) : []),
      ...(isNumber && !isLocal ? (['ip-address'] as const) : []),
      ...(isLocal ? (['this-machine'] as const) : []),
    ],
  });
}
