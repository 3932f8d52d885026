// The addresses of servers without the parts that may be secret.

import { isUrl } from '@plugboard/base';
import type { RemoteLaunch } from '../neutral/launch.ts';

/** The address without credentials, the query and the secrets of the launch. */
export function shownUrl({ url, shownUrl: shown }: Pick<RemoteLaunch, 'url' | 'shownUrl'>): string {
  if (shown !== undefined) return shown.replace(/[?#].*$/s, '');
  return plainUrl(new URL(url));
}

/** The address without credentials, query and fragment. */
export function plainUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/** The same for a text from outside; empty if it is not a URL. */
export function shownAddress(text: string): string {
  if (!isUrl(text)) return '';
  const url = new URL(text);
  const isPlain = `${url.username}${url.password}${url.search}${url.hash}` === '';
  return isPlain ? text : plainUrl(url);
}
