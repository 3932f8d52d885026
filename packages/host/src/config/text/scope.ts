// The kinds of source a server can come from and which of them is stronger. Reading a source and
// laying one over another happen elsewhere; this is the only place that ranks them.

export type Scope =
  | 'enterprise'
  | 'dynamic'
  | 'local'
  | 'project'
  | 'user'
  | 'claude-code'
  | 'plugin'
  | 'connector';

/** Higher is stronger. */
export function precedence(scope: Scope): number {
  return RANK[scope];
}

/** Where something was written: a place in a file (1-based), or handed over by the program. */
export type Origin =
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly line: number;
      readonly column: number;
    }
  | { readonly kind: 'given'; readonly by: string };

const RANK: Readonly<Record<Scope, number>> = {
  enterprise: 8,
  dynamic: 7,
  local: 6,
  project: 5,
  user: 4,
  'claude-code': 3,
  plugin: 2,
  connector: 1,
};

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
