// Resolves an entry as written to one that can be used: fills in variables, finds the folder in which the
// program starts, and checks the final values. Messages name what is missing, and never contain a value.

import {
  byForm,
  checkUrl,
  FIELD_KEYS,
  type RemoteEntry,
  rowOf,
  type ServerEntry,
  type StdioEntry,
  transportOf,
} from '../fields/index.ts';
import {
  type Diagnostic,
  type EntryPlace,
  fieldName,
  type FieldPath,
  type Finding,
  locate,
  shorten,
  type StatementPlace,
  textsIn,
} from '../text/index.ts';
import { hasText, entryTexts } from './entry-texts.ts';
import { expandEntry, type ExpansionProblem, hasPlaceholder, type Lookup } from './expand.ts';
import {
  isBareMark,
  type NeededSecret,
  neededSecrets,
  startsWithMark,
  withoutMarks,
} from './secret-marks.ts';
import {
  isRelativeProgram,
  startFolder,
  type StartFolders,
  writtenFolder,
} from './start-folder.ts';

export type Resolution =
  | {
      readonly kind: 'ready';
      /** Its secrets are still marks. */
      readonly entry: ServerEntry;
      /** Absent if the entry needs no secrets. */
      readonly secrets?: readonly NeededSecret[];
      /** The variables that were read from the file, which `entry` already contains. */
      readonly envFile?: {
        readonly path: string;
        readonly values: Readonly<Record<string, string>>;
      };
    }
  | {
      readonly kind: 'unresolved';
      readonly diagnostics: readonly Diagnostic[];
      /** The file of variables, if the reason is that it cannot be used. */
      readonly envFile?: { readonly path: string };
    };

export interface StartContext {
  /** The source of a field that names a program. */
  readonly by: (field: 'command' | 'headersHelper') => StatementPlace;
  readonly folders: StartFolders;
}

export function resolveEntry(options: {
  readonly entry: ServerEntry;
  readonly place: EntryPlace;
  /** The folder to which a relative path in a field is relative. */
  readonly folderOf: (path: FieldPath) => string;
  readonly lookup: Lookup;
  /** Decides where the programs of this entry start. */
  readonly starts: StartContext;
}): Resolution {
  const { entry, place, lookup } = options;
  const expanded = expandEntry(entry, lookup);
  const findings = expanded.ok
    ? finalFindings(expanded.value, entry)
    : expanded.error.map((problem) => expansionFinding(problem, place.server));
  if (!expanded.ok || findings.length > 0) {
    return { kind: 'unresolved', diagnostics: findings.map((finding) => locate(finding, place)) };
  }
  const ready = withFolders(expanded.value, options);
  const secrets = isPlain(expanded.value) ? [] : neededSecrets(expanded.value, place);
  return secrets.length === 0
    ? { kind: 'ready', entry: ready }
    : { kind: 'ready', entry: ready, secrets };
}

function expansionFinding(problem: ExpansionProblem, server: string): Finding {
  const { path } = problem;
  const finding = { severity: 'error', path, on: 'value' } as const;
  if (problem.kind === 'unset') {
    const variable = shorten(problem.variable);
    return {
      ...finding,
      code: 'unset-variable',
      message: `"${server}" needs the environment variable ${variable} (in "${fieldName(path)}"), which is not set.`,
      suggestion: `Set ${variable}, or write a default: \${${variable}:-value}.`,
    };
  }
  if (problem.kind === 'nul') {
    const message = `"${fieldName(path)}" holds a NUL character.`;
    return { ...finding, code: 'bad-value', message, suggestion: 'Remove it.' };
  }
  return {
    ...finding,
    code: 'bad-placeholder',
    message: `"${fieldName(path)}" holds a "\${" that is neither \${NAME}, \${NAME:-default} nor \${secret:NAME}.`,
    suggestion: 'Correct it, or write $${ for a literal ${.',
  };
}

/** Checks that need the final values. */
function finalFindings(entry: ServerEntry, written: ServerEntry): readonly Finding[] {
  return [
    ...byForm(entry, {
      stdio: ({ command }) => (command.trim() === '' ? [EMPTY_COMMAND] : []),
      remote: (remote) => wrongUrl(remote, written),
      sdk: () => [],
    }),
    ...unusable(entry),
    ...openSecrets({ ...entry }),
  ];
}

/**
 * A URL without variables was checked as written. One with a secret can only be checked once the secret is filled in.
 */
function wrongUrl(entry: RemoteEntry, written: ServerEntry): readonly Finding[] {
  if (withoutMarks(entry.url) !== entry.url) return [];
  if ('url' in written && !hasPlaceholder(written.url)) return [];
  const finding = checkUrl(entry.url, entry.kind);
  return finding === undefined ? [] : [finding];
}

const EMPTY_COMMAND: Finding = {
  severity: 'error',
  code: 'bad-value',
  path: ['command'],
  on: 'value',
  message: '"command" is empty once its variables are filled in.',
  suggestion: 'Check the variables in it.',
};

/** The paths that are always secret, such as `oauth.clientSecret`, by field. */
const SECRET_PATHS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  FIELD_KEYS.flatMap((key) => {
    const { secret = true } = rowOf(key);
    return secret === true ? [] : [[key, new Set(secret.map((part) => `${key}.${part}`))] as const];
  }),
);

/** Such secrets must not be in a file, nor in a variable that every process can read. */
function openSecrets(entry: Readonly<Record<string, unknown>>): readonly Finding[] {
  return [...SECRET_PATHS]
    .flatMap(([key, secret]) =>
      textsIn(entry[key], [key]).filter(([path]) => secret.has(path.join('.'))),
    )
    .filter(([, text]) => !isBareMark(text))
    .map(([path]) => ({
      severity: 'error',
      code: 'bad-value',
      path,
      on: 'value',
      message: `"${fieldName(path)}" must be written as \${secret:NAME}.`,
      suggestion: 'Store it: plugboard secret set NAME.',
    }));
}

/** Finds texts with a character that the system or HTTP does not allow. URLs are checked separately. */
function unusable(entry: ServerEntry): readonly Finding[] {
  if (isPlain(entry)) return [];
  const { refused } = transportOf(entry.kind);
  return entryTexts(entry)
    .filter(([[field]]) => field !== 'url')
    .filter(([, text]) => refused.some((character) => withoutMarks(text).includes(character)))
    .map(([path]) => ({
      severity: 'error',
      code: 'bad-value',
      path,
      on: 'value',
      message: `"${fieldName(path)}" holds ${refused.length === 1 ? '' : 'a line break or '}a NUL character.`,
      suggestion: 'Remove it; a value that was read from a file often ends in a line break.',
    }));
}

/** Whether no text contains a secret or a character that could be refused. */
function isPlain(entry: ServerEntry): boolean {
  return !hasText(entry, (text) => /[\0\r\n]/.test(text));
}

interface Places {
  readonly folderOf: (path: FieldPath) => string;
  readonly starts: StartContext;
}

function withFolders(entry: ServerEntry, places: Places): ServerEntry {
  return byForm<ServerEntry>(entry, {
    stdio: (local) => {
      if (local.cwd !== undefined) return inWrittenFolder(withPrefix(local, places.starts), places);
      const { command } = local;
      // A secret at the start may be an absolute path.
      const isRelative = isRelativeProgram(startsWithMark(command) ? '' : command);
      return inOwnFolder(local, { ...places, program: 'command', isRelative });
    },
    remote: (remote) => {
      if (remote.headersHelper === undefined) return remote;
      if (remote.cwd !== undefined) return inWrittenFolder(remote, places);
      return inOwnFolder(remote, { ...places, program: 'headersHelper', isRelative: true });
    },
    sdk: (supplied) => supplied,
  });
}

function inOwnFolder(
  entry: StdioEntry | RemoteEntry,
  {
    folderOf,
    starts,
    program,
    isRelative,
  }: Places & { readonly program: 'command' | 'headersHelper'; readonly isRelative: boolean },
): ServerEntry {
  const cwd = startFolder(starts.by(program), starts.folders);
  return { ...entry, cwd, ...(isRelative ? { programFolder: folderOf([program]) } : {}) };
}

function inWrittenFolder(
  entry: StdioEntry | RemoteEntry,
  { folderOf, starts }: Places,
): ServerEntry {
  const { cwd = '' } = entry;
  // A secret at the start may be an absolute path.
  if (startsWithMark(cwd)) return entry;
  return { ...entry, cwd: writtenFolder(cwd, folderOf(['cwd']), starts.folders) };
}

/** Only servers that the project itself states use the npm settings of the project. */
function withPrefix(entry: StdioEntry, { by, folders }: StartContext): StdioEntry {
  const { neutral } = folders;
  return startFolder(by('command'), folders) === neutral ? { ...entry, npmPrefix: neutral } : entry;
}
