// A path as tools show it to a model. The author of the tree chose the names in it, and a name with line ends could
// pass for further lines of an answer.

const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** Of a name with such characters, the JSON text: as an argument it names the file. */
export function shownPath(path: string): string {
  return path.search(UNSEEN) === -1 ? path : JSON.stringify(path).replaceAll(UNSEEN, escaped);
}

/** Those that JSON lets stand. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
