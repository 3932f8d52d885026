// What every command is handed.

import type { Terminal } from './terminal.ts';

export interface Context {
  readonly terminal: Terminal;
  readonly version: string;
  /** One JSON document on stdout, nothing else there. */
  readonly isJson: boolean;
  /** `project`: what came with this folder may start without having been approved, this once. */
  readonly trust: 'stored' | 'project';
  /** `yes`: the person answers so whatever is asked about calls, this once. */
  readonly answer?: 'yes';
}
