// What somebody wrote, short enough to stand in a message: a name may have as many letters as a file.

const LONGEST = 80;

export function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
