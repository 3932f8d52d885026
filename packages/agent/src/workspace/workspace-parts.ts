// What all tools and all sessions of a workspace share.

import type { Clock, KeyedMutex, Logger } from '@plugboard/base';
import type { ProcessLedger } from '@plugboard/host/processes';
import type { WalkSeams, WriteSeams } from '../platform/index.ts';
import type { WebPages } from '../web/index.ts';
import type { Jobs } from './jobs.ts';

export interface WorkspaceLimits {
  /** Of a file that is written or edited, in bytes. */
  readonly fileBytes: number;
  /** Of a command's output that is kept, in bytes: one half from its beginning, one from its end. */
  readonly outputBytes: number;
  /** How long a command may run that says nothing of it, and how long any. */
  readonly commandMs: number;
  readonly longestCommandMs: number;
  /** How many commands may run in the background. */
  readonly jobs: number;
}

export const DEFAULT_LIMITS: WorkspaceLimits = {
  fileBytes: 4 * 1024 * 1024,
  outputBytes: 32 * 1024,
  commandMs: 120_000,
  longestCommandMs: 30 * 60_000,
  jobs: 8,
};

/** Where tests change the disk at the worst moment. */
export interface WorkspaceSeams extends WalkSeams, WriteSeams {
  readonly beforeOpen?: () => Promise<void>;
}

export interface WorkspaceParts {
  /** Absolute, without links. */
  readonly root: string;
  /** Files and folders of Plugboard itself, without links, which are never written. */
  readonly ownPlaces: readonly string[];
  /** What commands are given their environment from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** So that the next host ends what a killed one left running. */
  readonly ledger: ProcessLedger;
  readonly limits: WorkspaceLimits;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts when the workspace is closed. */
  readonly closing: AbortSignal;
  /** Calls that are at work; closing waits for them. */
  readonly running: Set<Promise<unknown>>;
  /** Commands in the background. */
  readonly jobs: Jobs;
  /** Of the web, for all sessions. */
  readonly pages: WebPages;
  /** Changes of one file wait for each other. */
  readonly files: KeyedMutex<string>;
  readonly seams: WorkspaceSeams;
  /** Called for every file that a tool has changed. */
  readonly onChange: (change: ChangedFile) => void;
}

/** A file before and after; nothing stands for a file that is not there. */
export interface ChangedFile {
  /** Relative to the root. */
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}
