export { chordOf, type Key, press, type Press, wordOf } from './key.ts';
export { KeyParser } from './key-parser.ts';
