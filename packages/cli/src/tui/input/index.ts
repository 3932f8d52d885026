export { cleared, compose, type Composer, newComposer, withMenu, withoutMenu } from './composer.ts';
export { type Editor, editorWith } from './editor.ts';
export { piecesOf, cursorPlace, rowsOf } from './text-units.ts';
