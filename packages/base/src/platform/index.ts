// `@plugboard/base/platform`: access to files and processes that several packages share. A separate entrance, since the
// rest of base uses neither.

export { type ConfinedPlace, openPlace, realParts, type WalkSeams } from './confined-place.ts';
export {
  type ConfinedHandle,
  findConfined,
  openConfined,
  type OpenProblem,
  pathOfFolder,
} from './confined-open.ts';
export { isWithin, OPEN_FILE, realFolder } from './confinement.ts';
export { DRAFT_ENDING, draftName, removeOldDrafts } from './drafts.ts';
export type { FileNow, WriteSeams } from './file-in-folder.ts';
export {
  hasProcFolder,
  knownProcessFacts,
  parsePsLine,
  type ProcessFacts,
  processFacts,
  PS_COLUMNS,
  psEnvironment,
} from './process-facts.ts';
export {
  isRunning,
  ownIdentity,
  type ProcessIdentity,
  realm,
  stateOf,
} from './process-identity.ts';
export { readConfinedNow } from './read-confined-now.ts';
export { ownHome } from './own-home.ts';
export { PATH_TEXT_WORDS, relativePath, shortenPath } from './relative-path.ts';
export { replaceFile, syncFolder } from './replace-file.ts';
export { userPaths, type UserPaths } from './user-paths.ts';
