// The file of variables that an entry names with `envFile`. Its values are taken as they stand: nothing
// in them is expanded. What the entry itself says in `env` is stronger.

import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { err, ok, type Result } from '@plugboard/base';
import { type FileProblem, readTextFile } from '../../platform/index.ts';
import type { ServerEntry } from '../fields/index.ts';
import { type EntryPlace, type Finding, locate } from '../text/index.ts';
import type { Resolution } from './resolve-entry.ts';

const MAX_FILE_BYTES = 256 * 1024;

export interface EnvFilePlace {
  readonly place: EntryPlace;
  /** What the path is relative to. */
  readonly folder: string;
  readonly written: ServerEntry;
}

/** The same server with the variables of the file that it names, or why there are none. */
export async function withEnvFile(
  resolution: Resolution,
  { place, folder, written }: EnvFilePlace,
): Promise<Resolution> {
  if (resolution.kind !== 'ready') return resolution;
  const { entry } = resolution;
  if (!('envFile' in entry) || entry.envFile === undefined) return resolution;
  const path = resolve(folder, entry.envFile);
  const read = await readEnvFile({ path, shownAs: asWritten(written, entry.envFile) });
  if (!read.ok) {
    return { kind: 'unresolved', diagnostics: [locate(read.error, place)], envFile: { path } };
  }
  return {
    ...resolution,
    entry: { ...entry, env: { ...read.value, ...entry.env } },
    envFile: { path, values: read.value },
  };
}

/** What variables hold is not for messages. */
function asWritten(written: ServerEntry, filledIn: string): string | undefined {
  const path = 'envFile' in written ? written.envFile : undefined;
  return path === filledIn ? undefined : path;
}

export async function readEnvFile({
  path,
  shownAs = path,
}: {
  /** Complete, with its variables filled in. */
  readonly path: string;
  /** What to call it in messages, where the path holds what variables hold. */
  readonly shownAs?: string | undefined;
}): Promise<Result<Readonly<Record<string, string>>, Finding>> {
  const read = await readTextFile(path, { maxBytes: MAX_FILE_BYTES });
  if (!read.ok) return err(unusable(shownAs, read.error.kind));
  const variables = parseVariables(read.value);
  return variables === undefined ? err(unusable(shownAs, 'broken')) : ok(variables);
}

/**
 * `undefined` if a line is not NAME=value: Node takes such a line for the beginning of the next name, and passes over
 * one without a name and all that follows it. A last line of ours shows both.
 */
function parseVariables(text: string): Readonly<Record<string, string>> | undefined {
  // A line of spaces would count as the beginning of a name, too.
  const lines = text.replaceAll(/^[ \t]+$/gm, '');
  const { [LAST_NAME]: last, ...variables } = parseEnv(`${lines}\n${LAST_NAME}=`);
  const entries = Object.entries(variables).filter(
    // It gives undefined for none of its names, whatever its type says.
    (variable): variable is [string, string] => variable[1] !== undefined,
  );
  const isWhole = last !== undefined && entries.every(([name]) => NAME.test(name));
  return isWhole ? Object.fromEntries(entries) : undefined;
}

const LAST_NAME = 'PLUGBOARD_LAST_LINE';
const NAME = /^[^\s=]+$/;

type EnvFileProblem = FileProblem['kind'] | 'broken';

function unusable(path: string, trouble: EnvFileProblem): Finding {
  const { reason, suggestion } = WORDS[trouble];
  return {
    severity: 'error',
    code: 'bad-env-file',
    path: ['envFile'],
    on: 'value',
    message: `"envFile" names ${path}, which ${reason}.`,
    suggestion,
  };
}

const WORDS: Readonly<
  Record<EnvFileProblem, { readonly reason: string; readonly suggestion: string }>
> = {
  broken: {
    reason: 'holds a line that is not NAME=value',
    suggestion: 'Correct that line; a comment begins with "#".',
  },
  missing: {
    reason: 'does not exist',
    suggestion: 'Create it, or correct the path: it is relative to the folder of the entry.',
  },
  folder: { reason: 'is a folder', suggestion: 'Name a file in it.' },
  unreadable: { reason: 'cannot be read', suggestion: 'Check that it is a file you may read.' },
  'too-large': {
    reason: `is larger than ${MAX_FILE_BYTES / 1024} KiB`,
    suggestion: 'Check that this is the right file.',
  },
  'not-text': {
    reason: 'is not UTF-8 text',
    suggestion: 'Save it again with the encoding UTF-8.',
  },
};
