export {
  type ConfinedPlace,
  type FileNow,
  openPlace,
  PATH_TEXT_WORDS,
  realFolder,
  realParts,
  relativePath,
  shortenPath,
  type WalkSeams,
  type WriteSeams,
} from '@plugboard/base/platform';
export {
  appendLines,
  beginLines,
  foldersIn,
  type LinesFile,
  linesFiles,
  readBeginning,
  readLines,
  removeLines,
} from './private-lines.ts';
export { digestOf, type FileBefore, type FileChange } from './file-change.ts';
export { type Picture, pictureOf, type PictureProblem, readPicture } from './picture-file.ts';
export { writeNewFile } from './new-file.ts';
