// The address of a server as it may be shown.

import { isUrl } from '@plugboard/base';
import type { RemoteLaunch } from '../neutral/launch.ts';

/** Without the parts that may be secret: credentials, the query, and what the launch declares secret. */
export function shownUrl({ url, shownUrl: shown }: Pick<RemoteLaunch, 'url' | 'shownUrl'>): string {
  if (shown !== undefined) return shown.replace(/[?#].*$/s, '');
  return plainUrl(new URL(url));
}

/** Without credentials, query and fragment. */
export function plainUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/** The same for an address from outside; empty if the text is not a url. */
export function shownAddress(text: string): string {
  if (!isUrl(text)) return '';
  const url = new URL(text);
  const isPlain = `${url.username}${url.password}${url.search}${url.hash}` === '';
  return isPlain ? text : plainUrl(url);
}
