// The door of `workspace`: an in-process MCP server that writes files and runs commands in a folder.

export { type FileForPreview, type Preview, previewOf, type ReadForPreview } from './preview.ts';
export {
  type ConnectableWorkspace,
  createWorkspace,
  type Workspace,
  type WorkspaceOptions,
} from './workspace.ts';
export type { JobFacts, JobNews, Jobs } from './jobs.ts';
export type { FileToRestore, RestoreOutcome } from './restore-file.ts';
export type { ChangedFile, WorkspaceLimits } from './workspace-parts.ts';
