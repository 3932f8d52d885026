// Formats code for a model: each line with its number, so that the next call can refer to lines.

/** `12: the line`, from `startLine` on. */
export function numberedLines(text: string, startLine: number): string {
  if (text === '') return '';
  const lines = text.endsWith('\n') ? text.slice(0, -1) : text;
  return lines
    .split('\n')
    .map((line, at) => `${startLine + at}: ${line}`)
    .join('\n');
}
