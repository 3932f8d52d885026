// The address of a server as it may be shown.

import type { RemoteLaunch } from '../neutral/launch.ts';

/** Without what may be secret in it: credentials and the query, and what the launch says is. */
export function shownUrl({ url, shownUrl: shown }: Pick<RemoteLaunch, 'url' | 'shownUrl'>): string {
  if (shown !== undefined) return shown.replace(/[?#].*$/s, '');
  return plainUrl(new URL(url));
}

/** Without credentials, query and fragment. */
export function plainUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/** The same for what somebody else says is an address; nothing of what is none. */
export function shownAddress(text: string): string {
  if (!URL.canParse(text)) return '';
  const url = new URL(text);
  const isPlain = `${url.username}${url.password}${url.search}${url.hash}` === '';
  return isPlain ? text : plainUrl(url);
}
