export { ensureFolder } from './ensure-folder.ts';
export { exists, foldersUpTo } from './find-up.ts';
export { hostEnvironment, type HostEnvironment } from './host-environment.ts';
export { minimalEnvironment } from './minimal-environment.ts';
export { ProcessLedger, type SweptProcess } from './process-ledger.ts';
export { type FileProblem, readTextFile } from './read-text-file.ts';
export {
  type ProcessExit,
  type RunningProcess,
  type SpawnFailure,
  spawnProcess,
  type SpawnSpec,
} from './spawn-process.ts';
export { userPaths, type UserPaths } from './user-paths.ts';
export { writeFileAtomically } from './write-file-atomically.ts';
