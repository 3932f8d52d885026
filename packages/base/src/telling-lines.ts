// Selects the lines that explain why a program failed. Pure.

/** The last lines, and before them the first line that names an error, if a long stack trace follows it. */
export function tellingLines(lines: readonly string[], most: number): readonly string[] {
  const last = lines.slice(-most);
  const named = lines.slice(0, -most).find((line) => /\b\w*Error\b.*: /.test(line));
  return named === undefined ? last : [named, '…', ...last.slice(2)];
}
