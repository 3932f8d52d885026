// Whether a text for a shell says more than a rule means: a second command, a redirection, something that the
// shell expands. A user who allows what begins with `git ` does not mean `git status; rm -rf ~`. It does not
// know what the command itself can be told to do. Pure.

/** What of a text is not written in the pattern, and so could be anything. */
export function beyondPattern(pattern: string, text: string): string {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop() ?? '';
  let left = text.slice(head.length, Math.max(head.length, text.length - tail.length));
  let beyond = '';
  for (const piece of rest) {
    const at = left.indexOf(piece);
    // It does not fit: then all of it is beyond.
    if (at === -1) return text;
    beyond += `${left.slice(0, at)} `;
    left = left.slice(at + piece.length);
  }
  return beyond + left;
}

/** Also inside of quotes: to be too careful only means to ask. */
export function hasShellWords(text: string): boolean {
  return /[;&|<>`$()\n\r]/.test(text);
}

/** Whether an argument of this name is read by a shell, as far as names tell. */
export function isForShell(path: readonly string[]): boolean {
  return path.at(-1) === 'command' || path.at(-1) === 'cmd';
}
