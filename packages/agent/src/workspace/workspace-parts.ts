// The parts that all tools and all sessions of a workspace share.

import type { Clock, KeyedMutex, Logger } from '@plugboard/base';
import type { ProcessLedger } from '@plugboard/host/processes';
import type { FileChange, WalkSeams, WriteSeams } from '../platform/index.ts';
import type { WebPages } from '../web/index.ts';
import type { Jobs } from './jobs.ts';

export interface WorkspaceLimits {
  /** The maximum size of a file that is written or edited, in bytes. */
  readonly fileBytes: number;
  /** How much of a command's output is kept, in bytes: one half from its beginning, one from its end. */
  readonly outputBytes: number;
  /** The default and the maximum duration of a command. */
  readonly commandMs: number;
  readonly longestCommandMs: number;
  /** The maximum number of background commands. */
  readonly jobs: number;
}

export const DEFAULT_LIMITS: WorkspaceLimits = {
  fileBytes: 4 * 1024 * 1024,
  outputBytes: 32 * 1024,
  commandMs: 120_000,
  longestCommandMs: 30 * 60_000,
  jobs: 8,
};

/** Lets tests change the disk at the worst moment. */
export interface WorkspaceSeams extends WalkSeams, WriteSeams {
  readonly beforeOpen?: () => Promise<void>;
}

export interface WorkspaceParts {
  /** A real, absolute path. */
  readonly root: string;
  /** The real paths of Plugboard's own files and folders, which are never written. */
  readonly ownPlaces: readonly string[];
  /** The source of the environment of commands. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Lets the next host end what a killed one left running. */
  readonly ledger: ProcessLedger;
  readonly limits: WorkspaceLimits;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts when the workspace is closed. */
  readonly closing: AbortSignal;
  /** Running calls, which closing waits for. */
  readonly running: Set<Promise<unknown>>;
  /** The background commands. */
  readonly jobs: Jobs;
  readonly pages: WebPages;
  /** Changes of one file wait for each other. */
  readonly files: KeyedMutex<string>;
  readonly seams: WorkspaceSeams;
  /** Called for every file that a tool has changed. */
  readonly onChange: (change: FileChange) => void;
}
