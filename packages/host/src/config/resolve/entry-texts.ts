// The texts of an entry in which variables and secrets are filled in, each with its place. The file of
// variables is not among them: it is needed before a secret can be had.

import type { RemoteEntry, ServerEntry, StdioEntry } from '../fields/index.ts';
import { type FieldPath, textsIn } from '../text/index.ts';

export type EntryText = readonly [path: FieldPath, text: string];

export function entryTexts(entry: ServerEntry): readonly EntryText[] {
  if (entry.kind === 'sdk') return [];
  return entry.kind === 'stdio' ? localTexts(entry) : remoteTexts(entry);
}

function localTexts({ command, args, env, cwd = '' }: StdioEntry): readonly EntryText[] {
  return [
    [['command'], command],
    ...args.map((argument, index): EntryText => [['args', index], argument]),
    ...named('env', env),
    [['cwd'], cwd],
  ];
}

function remoteTexts({ url, headers, oauth }: RemoteEntry): readonly EntryText[] {
  return [[['url'], url], ...named('headers', headers), ...textsIn(oauth, ['oauth'])];
}

function named(field: string, values: Readonly<Record<string, string>>): readonly EntryText[] {
  return Object.entries(values).map(([key, value]) => [[field, key], value]);
}
