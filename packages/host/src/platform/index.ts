export { AppendFile, olderOf } from './append-file.ts';
export { createFileOnce } from './create-file-once.ts';
export { ensureFolder } from './ensure-folder.ts';
export { FileLocked, withFileLock } from './file-lock.ts';
export { findProgram, type FoundProgram } from './find-program.ts';
export { exists, foldersUpTo } from './find-up.ts';
export { hostEnvironment, type HostEnvironment } from './host-environment.ts';
export { isRunning } from './is-running.ts';
export { machineId } from './machine-id.ts';
export { minimalEnvironment } from './minimal-environment.ts';
export { networkSettings, type NetworkSettings } from './network-settings.ts';
export { type OwnFile, ownFiles } from './own-files.ts';
export { ProcessLedger, type SweptProcess } from './process-ledger.ts';
export { type FileProblem, readTextFile } from './read-text-file.ts';
export {
  type ProcessExit,
  type RunningProcess,
  type SpawnFailure,
  spawnProcess,
  type SpawnSpec,
} from './spawn-process.ts';
export { sweepFolder, type SweepLimits } from './sweep-folder.ts';
export { userPaths, type UserPaths } from './user-paths.ts';
export { type FileWatch, watchFiles, type WatchFilesOptions } from './watch-files.ts';
export { writeFileAtomically } from './write-file-atomically.ts';
