// Of what a program wrote before it failed, the lines that tell why. Pure.

/** The last lines, and the first that names an error where a long stack trace follows it. */
export function tellingLines(lines: readonly string[], most: number): readonly string[] {
  const last = lines.slice(-most);
  const named = lines.slice(0, -most).find((line) => /\b\w*Error\b.*: /.test(line));
  return named === undefined ? last : [named, '…', ...last.slice(2)];
}
