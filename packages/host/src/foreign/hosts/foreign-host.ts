// Describes another MCP host: where its files are, and how to translate its entries to ours. Pure; reading
// the files and checking the translated entries is left to the caller.

import type { HostEnvironment } from '../../platform/index.ts';
import type { Note } from './note.ts';

export type ForeignHostId =
  | 'claude-code'
  | 'claude-desktop'
  | 'cursor'
  | 'vscode'
  | 'windsurf'
  | 'codex'
  | 'gemini'
  | 'opencode'
  | 'zed'
  | 'cline';

/** The environment in which another host's files are searched. */
export interface ImportContext extends Pick<HostEnvironment, 'env' | 'home' | 'platform'> {
  /** The top of the project. */
  readonly project: string;
}

export interface ForeignPath {
  readonly path: string;
  readonly syntax: 'json' | 'toml';
  /** `project`: the authors of the repository wrote the file. */
  readonly owner: 'project' | 'user';
}

/** One entry of another host's file. */
export interface ForeignEntry {
  readonly name: string;
  readonly value: unknown;
  /** Reads a top-level setting of the same file. */
  readonly setting: (key: string) => unknown;
}

export type Translation =
  | {
      readonly kind: 'entry';
      readonly entry: Readonly<Record<string, unknown>>;
      readonly notes: readonly Note[];
    }
  | { readonly kind: 'not-an-object' }
  /** An extension of the other host starts the server, so there is no command to import. */
  | { readonly kind: 'extension' }
  /** The entry is among the servers, but is not one. */
  | { readonly kind: 'no-server' };

export interface ForeignHost {
  readonly id: ForeignHostId;
  /** The name as its makers write it. */
  readonly title: string;
  /** The strongest files of the host first. */
  readonly files: (surroundings: ImportContext) => readonly ForeignPath[];
  /** The paths to the objects that map names to entries, in a file of the host. New servers go into the last one. */
  readonly serverMaps: (surroundings: ImportContext) => readonly (readonly string[])[];
  readonly translate: (entry: ForeignEntry, surroundings: ImportContext) => Translation;
}
