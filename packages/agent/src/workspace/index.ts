// The door of `workspace`: a folder to write files and run commands in, as an MCP server in this process.

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
