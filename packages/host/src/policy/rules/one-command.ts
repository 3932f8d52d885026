// Detects whether a shell command contains more than a rule means: a second command, a redirection, or something that the
// shell expands. A user who allows the prefix `git ` does not mean `git status; rm -rf ~`. What the command's own options can
// do is not checked. Pure.

/** The parts of a text that the `*` of a pattern stand for. */
export function beyondPattern(pattern: string, text: string): string {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop() ?? '';
  let left = text.slice(head.length, Math.max(head.length, text.length - tail.length));
  let beyond = '';
  for (const piece of rest) {
    const at = left.indexOf(piece);
    // No match: the whole text is beyond the pattern.
    if (at === -1) return text;
    beyond += `${left.slice(0, at)} `;
    left = left.slice(at + piece.length);
  }
  return beyond + left;
}

/** Also finds them inside quotes: a false alarm only causes a question. */
export function hasShellWords(text: string): boolean {
  return /[;&|<>`$()\n\r]/.test(text);
}

/** Whether an argument is probably passed to a shell, judging by its name. */
export function isForShell(path: readonly string[]): boolean {
  return path.at(-1) === 'command' || path.at(-1) === 'cmd';
}
