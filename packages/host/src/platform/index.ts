export {
  isRunning,
  isWithin,
  ownIdentity,
  userPaths,
  type UserPaths,
} from '@plugboard/base/platform';
export { AppendFile, endsInsideLine, olderOf } from './append-file.ts';
export {
  type BackgroundProcess,
  type BackgroundStart,
  logSize,
  startInBackground,
  trimLog,
} from './background-program.ts';
export { createFileOnce } from './create-file-once.ts';
export { copyFolder, type CopyProblem } from './copy-folder.ts';
export { type DetachedRun, nodeProgram, runDetached, startDetached } from './detached-program.ts';
export { fileDigest, isFileAt } from './file-digest.ts';
export { FileLocked, withFileLock } from './file-lock.ts';
export { findProgram, type FoundProgram } from './find-program.ts';
export { exists, foldersUpTo } from './find-up.ts';
export { followLinks } from './follow-links.ts';
export { hostEnvironment, type HostEnvironment } from './host-environment.ts';
export { keptSecret, type KeptSecretProblem } from './kept-secret.ts';
export { machineId } from './machine-id.ts';
export { type FolderItem, listFolder, staysInside } from './list-folder.ts';
export { isPassedOn, minimalEnvironment } from './minimal-environment.ts';
export { neutralFolder, openStartFolder } from './neutral-folder.ts';
export { networkSettings, type NetworkSettings } from './network-settings.ts';
export { ensureFolder, isFolder, moveFolder, removeFolder } from './new-folder.ts';
export {
  type BrowserOpening,
  openBrowser,
  type OpenBrowserOptions,
  type UrlRefusal,
  urlRefusal,
} from './open-browser.ts';
export { isOnlyRunner, packageRunnerOf, withNpmPrefix } from './package-runner.ts';
export { type OwnFile, ownFiles } from './own-files.ts';
export {
  openPrivateText,
  type PrivateFileProblem,
  type PrivateText,
  writePrivateFile,
} from './private-file.ts';
export { processCount } from './process-tree.ts';
export { ProcessLedger, type SweptProcess } from './process-ledger.ts';
export {
  notedProcess,
  noteOwnProcess,
  type OwnNote,
  type ProcessNote,
  readProcessNote,
  signalNoted,
} from './process-note.ts';
export { type OwnFileProblem, readOwnFile } from './read-own-file.ts';
export { type FileProblem, readTextFile } from './read-text-file.ts';
export { runOnTerminal, type TerminalProgram, type TerminalRun } from './run-on-terminal.ts';
export { type CommandPorts, type CommandRun, runCommand } from './run-command.ts';
export { leadsOutOf, leadsTo, realPathOf } from './real-path.ts';
export { removeFile } from './remove-file.ts';
export {
  ensureSocketFolder,
  findSocket,
  socketFolderOf,
  type SocketProblem,
} from './socket-folder.ts';
export type { SpawnFailure } from './spawn-failure.ts';
export { type ProcessExit, type RunningProcess, spawnProcess } from './spawn-process.ts';
export type { SpawnSpec } from './spawn-spec.ts';
export { sweepFolder, type SweepLimits } from './sweep-folder.ts';
export { sweepToBin } from './sweep-to-bin.ts';
export { unpackZip, type ZipProblem } from './unpack-zip.ts';
export { isUrlScheme, URL_SCHEMES, type UrlScheme } from './url-schemes.ts';
export { type FileWatch, watchFiles, type WatchFilesOptions } from './watch-files.ts';
export { wordsOnlyIn } from './words-in-folder.ts';
export { systemCode } from './write-failed.ts';
export { writeFileAtomically } from './write-file-atomically.ts';
