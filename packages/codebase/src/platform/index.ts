// The door of `platform`: processes, files, the network and SQLite, for the rooms above.

export { giveBackMemory, keepHeapSmall } from './give-back-memory.ts';
export { isAddress, listenHttp } from './http-listener.ts';
export {
  environmentVariable,
  ownProcess,
  type OwnProcess,
  ownVersion,
  processorCount,
  residentBytes,
  processorMs,
  spareCores,
} from './own-process.ts';
export { requestJson, type RequestJson, type RequestOutcome } from './request-json.ts';
export { SIDE_LOST, SidePool } from './side-pool.ts';
export { serveJobs } from './side-program.ts';
export {
  type ConfinedHandle,
  DRAFT_ENDING,
  findConfined,
  isWithin,
  openConfined,
  type OpenProblem,
  ownHome,
  PATH_TEXT_WORDS,
  pathOfFolder,
  readConfinedNow,
  realFolder,
  relativePath,
  shortenPath,
} from '@plugboard/base/platform';
export {
  entryFacts,
  type EntryKind,
  entryKindNow,
  fileFactsNow,
  folderEntries,
  type FolderEntry,
} from './folder-entries.ts';
export type { FolderChange } from './linux-watch.ts';
export {
  ensureOwn,
  moveOwn,
  namesIn,
  ownFolderBytes,
  readOwn,
  readPlainBytes,
  removeOwn,
  removeOwnFolder,
  replaceOwn,
  userCacheFolder,
} from './own-folder.ts';
export { PlainFiles, realPathNow } from './plain-files.ts';
export { RandomAccessFile } from './random-access-file.ts';
export { readGrammar } from './read-grammar.ts';
export { type PipedProgram, startPiped } from './piped-program.ts';
export { devNull, findProgram } from './find-program.ts';
export { ripgrepProgram } from './ripgrep-program.ts';
export { mostArgumentBytes, runProgram, type RunningProgram } from './run-program.ts';
export { type StandardStreams, takeStandardStreams } from './standard-streams.ts';
export {
  bytesIn,
  isSqliteFailure,
  loadSqlite,
  numberIn,
  type OpenDatabase,
  type SqlDatabase,
  type SqlRow,
  SQLITE_FAILED,
} from './sqlite.ts';
export { watchFolder } from './watch-folder.ts';
