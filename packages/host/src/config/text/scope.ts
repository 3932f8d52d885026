// The kinds of source from which a server or a setting can come, and everything that follows from the kind
// alone: which one is stronger, who can have written it, where its programs start. docs/configuration.md
// shows the same table, and a test compares the two.

import { type HostEnvironment, isWithin } from '../../platform/index.ts';

/** Where something was written: a place in a file (1-based), or a value from a program. */
export type Origin =
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly line: number;
      readonly column: number;
    }
  | { readonly kind: 'given'; readonly by: string };

/**
 * Who can have written something, as far as Plugboard can tell. `owner`: the owner of the machine. `user`:
 * the user, or the program that the user runs. `folder`: anyone who can write to the project. `plugin`: the
 * author of a plugin that the user installed. `account`: the service whose list of servers the user named.
 */
export type Author = 'owner' | 'user' | 'folder' | 'plugin' | 'account';

interface ScopeRow {
  readonly author: Author;
  /** Where a program starts if its entry has no `cwd`: in the host's working folder, or in the neutral folder. */
  readonly startsIn: 'project' | 'neutral';
  /**
   * The source is meant for one person, so a definition in it inherits `env`, `headers` and the like from
   * that person's weaker definitions. What a local file would inherit is withheld until the user gives it,
   * since its author is the folder.
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

/** The source and the place of something that is stated. */
export interface StatementPlace {
  readonly scope: Scope;
  readonly origin: Origin;
}

/** Whether a file is in the project's folder, unless that folder contains the user's whole home. */
export function comesWith(path: string, { root, environment: { home } }: ProjectPlace): boolean {
  return isWithin(root, path) && !isWithin(root, home);
}

export type AuthorOf = (stated: StatementPlace) => Author;

/**
 * The author of a file in the project is the folder, whatever the scope of the file, even if the user's own
 * folders are in a project. The exception is a file that the user named for this run. Decides once for each
 * file, since one file can define thousands of servers.
 */
export function authorsIn(place: ProjectPlace): AuthorOf {
  const inProject = new Map<string, boolean>();
  const isOfProject = (file: string): boolean => {
    const is = inProject.get(file) ?? comesWith(file, place);
    inProject.set(file, is);
    return is;
  };
  return ({ scope, origin }) =>
    scope !== 'dynamic' && origin.kind === 'file' && isOfProject(origin.file)
      ? 'folder'
      : SCOPES[scope].author;
}

/**
 * Whether something came with a folder or a plugin. The servers that it defines need the user's approval, its
 * settings can only restrict, and it receives none of the user's own values unless the user gives them.
 */
export function isForeign(author: Author): boolean {
  return author === 'folder' || author === 'plugin';
}

export function isForeignSource(stated: StatementPlace, place: ProjectPlace): boolean {
  return isForeign(authorsIn(place)(stated));
}

/** Whether the server comes from a plugin or a connector; then its name has several parts. */
export function isFromPluginOrConnector(scope: Scope): boolean {
  const { author } = SCOPES[scope];
  return author === 'plugin' || author === 'account';
}

/**
 * The kind of a file. `mcp-json` may be a bare map of servers. `claude` belongs to another program, so its
 * unknown keys are ignored. The last two belong to the machine's owner: `managed` excludes all other files,
 * `policy` restricts them.
 */
export type FileFormat = 'mcp-json' | 'plugboard' | 'claude' | 'managed' | 'policy';

export interface ConfigFile {
  readonly path: string;
  readonly scope: Scope;
  readonly format: FileFormat;
  /** The folder to which a relative `cwd` in this file is relative. */
  readonly folder: string;
}
