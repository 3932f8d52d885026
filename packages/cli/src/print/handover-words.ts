// Which of the user's own values would go to a destination that a foreign file chose, in words: "your API_KEY goes to
// …". Names only, never a value.

import type { HandedItem, TrustSubject } from '@plugboard/host/configuration';
import { place, type Standpoint } from './place.ts';
import { quoted, visible } from './visible.ts';

type Launch = TrustSubject['launch'];

/** One line for each, below what leads it elsewhere. */
export function handoverLines(
  items: readonly HandedItem[],
  launch: Launch,
  from: Standpoint,
): readonly string[] {
  if (items.length === 0) return [];
  const leading = [...new Set(items.map(({ by }) => leadWords(by, from)))];
  return [
    `Of your own, it gets only what you give it: ${leading.join(', ')} decides where that goes.`,
    ...items.map(
      (item) =>
        `  your ${itemWords(item)} goes to ${destinationOf(item, launch)}  ${visible(place(item.origin, from))}`,
    ),
  ];
}

/** What is to be read before the question. */
export function givenWhere(item: HandedItem, launch: Launch): string {
  return `Your ${itemWords(item)} would go to ${destinationOf(item, launch)}\n`;
}

export function giveQuestion(server: string, item: HandedItem): string {
  return `Give ${quoted(server)} your ${itemWords(item)}? [y/N] `;
}

function leadWords({ field, origin }: HandedItem['by'], from: Standpoint): string {
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

/** As it is written, so that the user sees where a secret would end up. */
function destinationOf({ path: [key] }: HandedItem, launch: Launch): string {
  const { command, args = [], url = '' } = launch;
  if (command !== undefined) return [command, ...args].map(quoted).join(' ');
  return key === 'oauth' ? signInOf(launch) : quoted(url);
}

/** Who gets the secrets of a client. */
export function signInOf({ url = '', oauth = {} }: Launch): string {
  const named = oauth['authServerMetadataUrl'] ?? oauth['issuer'];
  return typeof named === 'string' ? quoted(named) : `whom ${quoted(url)} names`;
}
