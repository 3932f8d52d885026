// What is known of another MCP host: where its files are and how an entry of its reads as one of
// ours. All of it is pure; reading the files and checking what comes out is the caller's work.

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

/** Where we stand when another host's files are looked for. */
export interface ImportContext extends Pick<HostEnvironment, 'env' | 'home' | 'platform'> {
  /** The top of the project. */
  readonly project: string;
}

export interface ForeignPath {
  readonly path: string;
  readonly syntax: 'json' | 'toml';
  /** `project`: the file was written by the authors of the repository. */
  readonly owner: 'project' | 'user';
}

/** One entry as another host's file has it. */
export interface ForeignEntry {
  readonly name: string;
  readonly value: unknown;
  /** A setting at the top of the same file. */
  readonly setting: (key: string) => unknown;
}

export type Translation =
  | {
      readonly kind: 'entry';
      readonly entry: Readonly<Record<string, unknown>>;
      readonly notes: readonly Note[];
    }
  | { readonly kind: 'not-an-object' }
  /** A part of the other host started it; there is no command that could be taken over. */
  | { readonly kind: 'extension' }
  /** It stands among the servers and is none. */
  | { readonly kind: 'no-server' };

export interface ForeignHost {
  readonly id: ForeignHostId;
  /** As its makers write it. */
  readonly title: string;
  /** Those that count most for the host first. */
  readonly files: (surroundings: ImportContext) => readonly ForeignPath[];
  /** The paths to the objects that map names to entries, in a file of the host. New servers go into the last one. */
  readonly serverMaps: (surroundings: ImportContext) => readonly (readonly string[])[];
  readonly translate: (entry: ForeignEntry, surroundings: ImportContext) => Translation;
}
