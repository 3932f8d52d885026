export {
  clear,
  compose,
  type Composer,
  newComposer,
  takesEscape,
  textColumns,
  withMenu,
  withOtherKeys,
  withoutMenu,
} from './composer.ts';
export { edit, type Editor, editorWith } from './editor.ts';
export { graphemes, cursorPlace, wrapRows } from './text-units.ts';
