// Lists the files that a conversation works with: files that calls named, and files with saved results. The list is read
// from the messages, so it survives a summary, whatever the model writes. Pure.

import { type Json, isObject } from '@plugboard/base';
import type { Message } from '../conversation/index.ts';

const MOST = 40;
const HEADING = 'Files and results that were in use (the last ones first):';

const NAMES_PLACE =
  /^(?:path|file|file_?path|filename|uri|folder|directory|dir|source|destination)s?$/i;

/** The last ones first; empty if there are none. */
export function toolStateText(messages: readonly Message[]): string {
  const found = new Set<string>();
  for (const message of messages.toReversed()) {
    for (const line of messageLines(message)) found.add(line);
    if (found.size >= MOST) break;
  }
  if (found.size === 0) return '';
  return [HEADING, ...[...found].slice(0, MOST).map((line) => `- ${line}`)].join('\n');
}

function messageLines(message: Message): readonly string[] {
  switch (message.kind) {
    case 'assistant':
      return message.parts.flatMap((part) =>
        part.kind === 'call'
          ? placesIn(part.arguments).map((place) => `${place} (${part.tool})`)
          : [],
      );
    case 'tool':
      return message.answers.flatMap(({ tool, results = [] }) =>
        results.map(({ path, id }) => `${path} (result of ${tool}, id ${id})`),
      );
    case 'user':
      return message.parts.flatMap((part) =>
        part.kind === 'attachment' ? earlierLines(part.text) : [],
      );
    default:
      return message satisfies never;
  }
}

/** The list of an earlier summary. */
function earlierLines(summary: string): readonly string[] {
  const start = summary.lastIndexOf(HEADING);
  if (start === -1) return [];
  return summary
    .slice(start + HEADING.length)
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice(2));
}

function placesIn(value: Json, depth = 0): readonly string[] {
  if (!isObject(value) || depth > 3) return [];
  return Object.entries(value).flatMap(([key, inner]): readonly string[] => {
    if (!NAMES_PLACE.test(key)) return placesIn(inner, depth + 1);
    const values: readonly unknown[] = Array.isArray(inner) ? inner : [inner];
    return values.filter((one): one is string => typeof one === 'string').map(oneLine);
  });
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}
