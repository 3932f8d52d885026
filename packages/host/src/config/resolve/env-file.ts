// Reads the file of variables that an entry names with `envFile`. Its values are literal: nothing in them is
// expanded. The variables in `env` of the entry are stronger.

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
  /** The folder to which the path is relative. */
  readonly folder: string;
  readonly written: ServerEntry;
}

/** Adds the variables of the file to a server, or reports why the file cannot be used. */
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

/** The path without the values of variables, for messages. */
function asWritten(written: ServerEntry, filledIn: string): string | undefined {
  const path = 'envFile' in written ? written.envFile : undefined;
  return path === filledIn ? undefined : path;
}

export async function readEnvFile({
  path,
  shownAs = path,
}: {
  /** Absolute, with its variables filled in. */
  readonly path: string;
  /** The path for messages, if the real one contains values of variables. */
  readonly shownAs?: string | undefined;
}): Promise<Result<Readonly<Record<string, string>>, Finding>> {
  const read = await readTextFile(path, { maxBytes: MAX_FILE_BYTES });
  if (!read.ok) return err(unusable(shownAs, read.error.kind));
  const variables = parseVariables(read.value);
  return variables === undefined ? err(unusable(shownAs, 'broken')) : ok(variables);
}

/**
 * `undefined` if a line is not NAME=value. Node reads such a line as the beginning of the next name, and skips a line
 * without a name and everything after it. An additional last line reveals both.
 */
function parseVariables(text: string): Readonly<Record<string, string>> | undefined {
  // Node would read a line of spaces as the beginning of a name, too.
  const lines = text.replaceAll(/^[ \t]+$/gm, '');
  const { [LAST_NAME]: last, ...variables } = parseEnv(`${lines}\n${LAST_NAME}=`);
  const entries = Object.entries(variables).filter(
    // No value is undefined, although the type allows it.
    (variable): variable is [string, string] => variable[1] !== undefined,
  );
  const isWhole = last !== undefined && entries.every(([name]) => NAME.test(name));
  return isWhole ? Object.fromEntries(entries) : undefined;
}

const LAST_NAME = 'PLUGBOARD_LAST_LINE';
const NAME = /^[^\s=]+$/;

type EnvFileProblem = FileProblem['kind'] | 'broken';

function unusable(path: string, problem: EnvFileProblem): Finding {
  const { reason, suggestion } = WORDS[problem];
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
