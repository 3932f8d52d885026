// The file of variables that an entry names with `envFile`. Its values are taken as they stand: nothing
// in them is expanded. What the entry itself says in `env` is stronger.

import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { err, ok, type Result } from '@plugboard/base';
import { type FileProblem, readTextFile } from '../platform/index.ts';
import { type EntryPlace, type Finding, locate } from './finding.ts';
import type { Resolution } from './resolve-entry.ts';

const MAX_FILE_BYTES = 256 * 1024;

/** The same server with the variables of the file that it names, or why there are none. */
export async function withEnvFile(
  resolution: Resolution,
  { place, folder }: { readonly place: EntryPlace; readonly folder: string },
): Promise<Resolution> {
  if (resolution.kind !== 'ready') return resolution;
  const { entry } = resolution;
  if (entry.kind !== 'stdio' || entry.envFile === undefined) return resolution;
  const path = resolve(folder, entry.envFile);
  const read = await readEnvFile({ path, folder });
  if (!read.ok) return { kind: 'unresolved', diagnostics: [locate(read.error, place)] };
  return {
    ...resolution,
    entry: { ...entry, env: { ...read.value, ...entry.env } },
    envFile: { path, values: read.value },
  };
}

export async function readEnvFile(options: {
  /** As the entry gives it, with its variables filled in. */
  readonly path: string;
  /** What it is relative to. */
  readonly folder: string;
}): Promise<Result<Readonly<Record<string, string>>, Finding>> {
  const path = resolve(options.folder, options.path);
  const read = await readTextFile(path, { maxBytes: MAX_FILE_BYTES });
  if (!read.ok) return err(unusable(path, read.error.kind));
  // It gives undefined for none of its names, whatever its type says.
  const variables = Object.entries(parseEnv(read.value)).filter(
    (variable): variable is [string, string] => variable[1] !== undefined,
  );
  const isBroken = NAMELESS.test(read.value) || variables.some(([name]) => !NAME.test(name));
  return isBroken ? err(unusable(path, 'broken')) : ok(Object.fromEntries(variables));
}

/** Node takes a line without `=` as the beginning of the next name. */
const NAME = /^[^\s=]+$/;
/** Node passes over a line without a name, and over all that follows it. */
const NAMELESS = /^[ \t]*(?:export[ \t]+)?=/m;

type Trouble = FileProblem['kind'] | 'broken';

function unusable(path: string, trouble: Trouble): Finding {
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

const WORDS: Readonly<Record<Trouble, { readonly reason: string; readonly suggestion: string }>> = {
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
