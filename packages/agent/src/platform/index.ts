export { type ConfinedPlace, openPlace, realParts, type WalkSeams } from './confined-place.ts';
export type { FileNow, WriteSeams } from './file-in-folder.ts';
export { realFolder } from './real-folder.ts';
export {
  appendLines,
  beginLines,
  type LinesFile,
  linesFiles,
  readBeginning,
  readLines,
  removeLines,
} from './private-lines.ts';
export { type Picture, type PictureProblem, readPicture } from './picture-file.ts';
