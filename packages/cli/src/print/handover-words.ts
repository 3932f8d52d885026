// Describes which of the user's own values a destination from a foreign file would receive: "your API_KEY goes to …".
// Contains names only, never a value.

import type { HandedItem, TrustSubject } from '@plugboard/host/configuration';
import { place, type Standpoint } from './place.ts';
import { quoted, visible } from './visible.ts';

type Launch = TrustSubject['launch'];

/** One line for each item, below the fields that decide where the items go. */
export function handoverLines(
  items: readonly HandedItem[],
  launch: Launch,
  from: Standpoint,
): readonly string[] {
  if (items.length === 0) return [];
  const deciders = [...new Set(items.map(({ by }) => deciderWords(by, from)))];
  return [
    `Of your own, it gets only what you give it: ${deciders.join(', ')} decides where that goes.`,
    ...items.map(
      (item) =>
        `  your ${itemWords(item)} goes to ${destinationOf(item, launch)}  ${visible(place(item.origin, from))}`,
    ),
  ];
}

/** The text above the question. */
export function destinationText(item: HandedItem, launch: Launch): string {
  return `Your ${itemWords(item)} would go to ${destinationOf(item, launch)}\n`;
}

export function giveQuestion(server: string, item: HandedItem): string {
  return `Give ${quoted(server)} your ${itemWords(item)}? [y/N] `;
}

function deciderWords({ field, origin }: HandedItem['by'], from: Standpoint): string {
  return `"${visible(field)}" in ${visible(place(origin, from))}`;
}

/** `variable API_KEY`, `header Authorization`, `oauth.clientSecret`. */
function itemWords({ path: [key, name], field }: HandedItem): string {
  const kind = KINDS.get(String(key));
  return kind === undefined || name === undefined
    ? visible(field)
    : `${kind} ${visible(String(name))}`;
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['env', 'variable'],
  ['headers', 'header'],
]);

/** The destination as written, so that the user sees where a secret would go. */
function destinationOf({ path: [key] }: HandedItem, launch: Launch): string {
  const { command, args = [], url = '' } = launch;
  if (command !== undefined) return [command, ...args].map(quoted).join(' ');
  return key === 'oauth' ? signInOf(launch) : quoted(url);
}

/** The authorization server, which receives the secrets of the client. */
export function signInOf({ url = '', oauth = {} }: Launch): string {
  const named = oauth['authServerMetadataUrl'] ?? oauth['issuer'];
  return typeof named === 'string' ? quoted(named) : `whom ${quoted(url)} names`;
}
