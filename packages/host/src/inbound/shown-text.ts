// Sanitises text of a server for display: removes control sequences and invisible characters, and limits the
// length. Pure.

/** Complete escape sequences, so that no rest of them stays as noise. */
const ESCAPES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/gu;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const MANY_LINES = /\n{3,}/g;

/** Keeps line breaks. */
export function shownText(text: string, longest: number): string {
  const lines = text
    // Bounded before any search in it.
    .slice(0, longest * 4)
    .replaceAll(ESCAPES, '')
    .replaceAll(/\r\n?|[\u2028\u2029]/gu, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(UNSEEN, (character) => (character === '\n' ? '\n' : ''))
    .replaceAll(MANY_LINES, '\n\n')
    .trim();
  return cut(lines, longest);
}

export function shownLine(text: string, longest: number): string {
  return cut(shownText(text, longest * 2).replaceAll(/\s+/gu, ' '), longest);
}

/** Cuts between characters. */
function cut(text: string, longest: number): string {
  const characters = Array.from(text);
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}
