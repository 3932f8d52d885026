// What every command receives.

import type { Terminal } from './terminal.ts';

/** `--mcp-config`, each a file or JSON, and `--strict-mcp-config`. */
export interface NamedServers {
  readonly mcpConfig: readonly string[];
  readonly mcpConfigCounts: 'with-others' | 'only';
}

export interface Context {
  readonly terminal: Terminal;
  readonly version: string;
  /** JSON on stdout, nothing else there: one document, unless `json` says otherwise. */
  readonly isJson: boolean;
  /** `events`: one event a line, whatever happens. */
  readonly json?: 'events' | undefined;
  /** `project`: what came with this folder may start without having been approved, this once. */
  readonly trust: 'stored' | 'project';
  /** What the person named for this run beside what is configured, as `readConfiguration` takes it. */
  readonly named?: NamedServers | undefined;
  /** How to name the server of this run in a command, where it is in no file: `--url URL`. */
  readonly adHoc?: string;
  /** `off`: what servers say of their tools is not compared with what they said before. */
  readonly pins?: 'off';
  /** How many words follow `--`, which belong to someone else. */
  readonly behindDashes?: number;
  /** `a-file`: the person did not name the calls that are made, so that a rule or an answer has to allow each. */
  readonly callsAreOf?: 'a-file';
  /** `yes`: the person answers so whatever is asked about calls, this once. */
  readonly answer?: 'yes';
}

/** Whether a person can read a question and answer it. */
export function canAsk({ isJson, terminal: { input, err } }: Context): boolean {
  return !isJson && input.isTty && err.isTty;
}
