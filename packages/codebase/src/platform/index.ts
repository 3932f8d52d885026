// The door of `platform`: the process, its files and those beside it, for the rooms above.

export { environmentVariable } from './environment-variable.ts';
export { giveBackMemory, keepRoomForNewObjectsSmall } from './give-back-memory.ts';
export { listenHttp } from './http-listener.ts';
export { isAddress } from './ip-address.ts';
export { ownProcess, type OwnProcess } from './own-process.ts';
export { ownVersion } from './own-version.ts';
export { packageFile, readBytes } from './package-file.ts';
export { postJson, type PostJson, type PostOutcome } from './post-json.ts';
export { requestJson, type RequestJson } from './request-json.ts';
export { processorCount, spareCores } from './processor-count.ts';
export { SIDE_LOST, SidePool } from './side-pool.ts';
export {
  type SideEnd,
  type SideProcess,
  startSideProcess,
  type StartSide,
} from './side-process.ts';
export { serveJobs, sideProgram, type SideProgram } from './side-program.ts';
export {
  type ConfinedHandle,
  DRAFT_ENDING,
  findConfined,
  openConfined,
  type OpenProblem,
  PATH_TEXT_WORDS,
  pathOfFolder,
  readConfinedNow,
  realFolder,
  relativePath,
  shortenPath,
} from '@plugboard/base/platform';
export { fileFactsNow } from './file-facts-now.ts';
export { entryFacts, type EntryKind, folderEntries, type FolderEntry } from './folder-entries.ts';
export {
  ensureOwn,
  moveOwn,
  namesIn,
  ownFolderBytes,
  readOwn,
  removeOwn,
  removeOwnFolder,
  replaceOwn,
  userCacheFolder,
} from './own-folder.ts';
export { PlainFiles } from './plain-files.ts';
export { RandomAccessFile } from './random-access-file.ts';
export { ripgrepProgram } from './ripgrep-program.ts';
export { runProgram } from './run-program.ts';
export { type StandardStreams, takeStandardStreams } from './standard-streams.ts';
export {
  isSqliteFailure,
  loadSqlite,
  type OpenDatabase,
  type SqlDatabase,
  type SqlRow,
} from './sqlite.ts';
export { mostArgumentBytes } from './system-limits.ts';
export { changesSince, type FolderChange, watchFolder, writeSnapshot } from './watch-folder.ts';
