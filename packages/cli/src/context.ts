// The input of every command.

import type { Terminal } from './terminal.ts';

/** The values of `--mcp-config`, each a file or JSON, and `--strict-mcp-config`. */
export interface NamedServers {
  readonly mcpConfig: readonly string[];
  readonly mcpConfigCounts: 'with-others' | 'only';
}

export interface Context {
  readonly terminal: Terminal;
  readonly version: string;
  /** stdout contains only JSON: one document, or one event per line. */
  readonly isJson: boolean;
  /** `events`: one event per line, even after an error. */
  readonly json?: 'events' | undefined;
  /** `project`: servers of this folder may start without approval, for this run. */
  readonly trust: 'stored' | 'project';
  /** Configuration for this run only, as `readConfiguration` takes it. */
  readonly named?: NamedServers | undefined;
  /** How a command names the server of this run, if it is in no file: `--url URL`. */
  readonly adHoc?: string;
  /** `off`: definitions of tools are not compared with the accepted ones. */
  readonly pins?: 'off';
  /** The number of words after `--`, which are the command of a server. */
  readonly wordsAfterDashes?: number;
  /** `file`: the user did not type the calls, so a rule or an answer must allow each. */
  readonly callsFrom?: 'file';
  /** `yes`: approves every call that would be asked about, for this run. */
  readonly answer?: 'yes';
}

/** Whether a person can read a question and answer it. */
export function canAsk({ isJson, terminal: { input, err } }: Context): boolean {
  // In this order, since Node opens stdin to know what it is.
  return !isJson && err.isTty && input.isTty;
}
