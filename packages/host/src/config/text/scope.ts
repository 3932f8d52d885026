// The kinds of source a server or a setting can come from, and all that follows from the kind alone: which is stronger,
// who can have written it, where its programs start. This is the only place that decides these; docs/configuration.md
// shows the table, and a test holds the two together.

import { type HostEnvironment, isWithin } from '../../platform/index.ts';

/** Where something was written: a place in a file (1-based), or handed over by the program. */
export type Origin =
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly line: number;
      readonly column: number;
    }
  | { readonly kind: 'given'; readonly by: string };

/**
 * Who can have written something, as far as Plugboard can tell. `owner`: the owner of the machine. `user`: the user, or
 * the program that the user runs. `folder`: anyone who can write to the project. `plugin`: the author of a plugin that
 * the user installed. `account`: the service whose list of servers the user named.
 */
export type Author = 'owner' | 'user' | 'folder' | 'plugin' | 'account';

interface ScopeRow {
  readonly author: Author;
  /** Where programs start whose entry names no `cwd`: in the folder that the host works in, or in the neutral one. */
  readonly startsIn: 'project' | 'neutral';
  /**
   * It is meant for one person, so a definition in it takes over `env`, `headers` and the like of that person's weaker
   * definitions. What a local file would take over is withheld until the user gives it, since its author is the folder.
   */
  readonly isPersonal: boolean;
}

/** Strongest first. */
const SCOPES = {
  enterprise: { author: 'owner', startsIn: 'neutral', isPersonal: true },
  dynamic: { author: 'user', startsIn: 'neutral', isPersonal: true },
  // A repository can hold a file of any name, including one that is meant for the settings of one user.
  local: { author: 'folder', startsIn: 'neutral', isPersonal: true },
  project: { author: 'folder', startsIn: 'project', isPersonal: false },
  user: { author: 'user', startsIn: 'neutral', isPersonal: true },
  'claude-code': { author: 'user', startsIn: 'neutral', isPersonal: true },
  plugin: { author: 'plugin', startsIn: 'neutral', isPersonal: false },
  connector: { author: 'account', startsIn: 'neutral', isPersonal: false },
} as const satisfies Readonly<Record<string, ScopeRow>>;

export type Scope = keyof typeof SCOPES;

/** Strongest first. */
export const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];

export function scopeRow(scope: Scope): ScopeRow {
  return SCOPES[scope];
}

const RANK: ReadonlyMap<Scope, number> = new Map(
  SCOPE_NAMES.map((scope, index) => [scope, SCOPE_NAMES.length - index]),
);

/** Higher is stronger. */
export function precedence(scope: Scope): number {
  return RANK.get(scope) ?? 0;
}

export interface ProjectPlace {
  /** The project's top folder. */
  readonly root: string;
  readonly environment: Pick<HostEnvironment, 'home'>;
}

/** Something that a source states, and where it is written. */
export interface StatementPlace {
  readonly scope: Scope;
  readonly origin: Origin;
}

/** Whether a file lies in the project's folder, and that is not the user's whole home. */
export function comesWith(path: string, { root, environment: { home } }: ProjectPlace): boolean {
  return isWithin(root, path) && !isWithin(root, home);
}

/**
 * A file of any scope that lies in the project is the folder's, even where the user's own folders are in a project. The
 * exception is a file that the user named for this run.
 */
export function authorOf({ scope, origin }: StatementPlace, place: ProjectPlace): Author {
  const isOfProject =
    scope !== 'dynamic' && origin.kind === 'file' && comesWith(origin.file, place);
  return isOfProject ? 'folder' : SCOPES[scope].author;
}

/**
 * It came with a folder or a plugin. What it starts or reaches waits for the user's approval, its settings can only
 * restrict, and nothing of the user's goes where it says unless the user gives it.
 */
export function isForeign(author: Author): boolean {
  return author === 'folder' || author === 'plugin';
}

export function isForeignSource(stated: StatementPlace, place: ProjectPlace): boolean {
  return isForeign(authorOf(stated, place));
}

/** It was listed or installed as one of many, so the user did not write it: its name has several parts. */
export function isBrought(scope: Scope): boolean {
  const { author } = SCOPES[scope];
  return author === 'plugin' || author === 'account';
}

/**
 * Whose file it is. `mcp-json` may be a bare map of servers; `claude` belongs to another program,
 * so keys that we do not know are none of our business there. Both others are of the machine's owner:
 * `managed` excludes all other files, `policy` says what counts in them.
 */
export type FileFormat = 'mcp-json' | 'plugboard' | 'claude' | 'managed' | 'policy';

export interface ConfigFile {
  readonly path: string;
  readonly scope: Scope;
  readonly format: FileFormat;
  /** What a relative `cwd` in this file is relative to. */
  readonly folder: string;
}
