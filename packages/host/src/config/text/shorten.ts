// Shortens a user's text for use in a message: a name may be as long as a file.

const LONGEST = 80;

export function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
