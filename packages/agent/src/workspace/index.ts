// The door of `workspace`: an in-process MCP server that writes files and runs commands in a folder.

export type { Preview } from './preview.ts';
export {
  type ConnectableWorkspace,
  createWorkspace,
  type Workspace,
  type WorkspaceOptions,
} from './workspace.ts';
export type { FileBefore, FileChange } from '../platform/index.ts';
export type { JobFacts, JobNews, Jobs } from './jobs.ts';
export type { RestoreOutcome } from './restore-file.ts';
export type { WorkspaceLimits } from './workspace-parts.ts';
