// Formats a path for a model. The author of the tree chose the names, and a name with line breaks could pass for further lines
// of an answer.

const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** A path with invisible characters is shown as JSON, which is also valid as an argument. */
export function shownPath(path: string): string {
  return path.search(INVISIBLE) === -1 ? path : JSON.stringify(path).replaceAll(INVISIBLE, escape);
}

/** Escapes a character that JSON does not. */
function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
