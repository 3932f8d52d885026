// Completes or leaves out unfinished markup at the end of a text that is still arriving, so that nothing flickers from one
// style to another.

const FENCE_LINE = /^\s*(?:[-*+>]\s+)?(?:`{3,}|~{3,})/;

export function mendMarkdown(block: string): string {
  const lines = block.split('\n');
  const isInFence = lines.filter((line) => FENCE_LINE.test(line)).length % 2 === 1;
  const last = lines.at(-1) ?? '';
  if (isInFence) return /^\s*[`~]{1,2}$/.test(last) ? lines.slice(0, -1).join('\n') : block;
  // A last line that may become a list, a rule, a fence or a heading underline is left out.
  const kept = /^\s*(?:[-=*+#>_`~]+|\d{1,9}[.)]?)\s*$/.test(last) ? lines.slice(0, -1) : lines;
  return mendTable(kept) ?? mendInline(kept.join('\n'));
}

/** Draws a table as soon as its first row begins. */
function mendTable(lines: readonly string[]): string | undefined {
  const start = lines.findLastIndex((line) => !line.trimStart().startsWith('|')) + 1;
  const [head, ruler, ...rows] = lines.slice(start);
  if (head === undefined || start > 1) return undefined;
  const cells = head.split(/(?<!\\)\|/).filter((cell) => cell.trim() !== '').length;
  if (cells === 0) return '';
  if (ruler !== undefined && !/^[\s|:-]*$/.test(ruler)) return undefined;
  const isWhole = ruler !== undefined && (rows.length > 0 || ruler.split('-').length > cells * 3);
  const whole = isWhole && ruler.split('|').length >= cells ? ruler : `|${'---|'.repeat(cells)}`;
  const top = /\|\s*$/.test(head) ? head : `${head} |`;
  return [...lines.slice(0, start), top, whole, ...rows].join('\n');
}

function mendInline(text: string): string {
  const withoutCode = text.replaceAll(/(`+)[^`]+\1(?!`)/g, '');
  const openCode = /(`+)[^`]*$/.exec(withoutCode)?.[1];
  if (openCode !== undefined) {
    return text.endsWith(openCode) ? text.slice(0, -openCode.length) : text + openCode;
  }
  // The address of a link is shown once it is complete.
  const withoutLink = text
    .replace(/!?\[([^\]\n]*)\]\([^)\s]*$/, '$1')
    .replace(/!?\[([^\]\n]*)$/, '$1');
  return closeMarks(withoutLink);
}

function closeMarks(text: string): string {
  const tail = /(?:\*+|_+|~+)$/.exec(text)?.[0] ?? '';
  const isOpening = tail !== '' && /(?:^|\s)$/.test(text.slice(0, -tail.length));
  let mended = isOpening ? text.slice(0, -tail.length) : text;
  for (const mark of ['**', '__', '~~']) {
    if (!isOdd(mended, mark)) continue;
    // Half of the closing mark may have arrived.
    mended = mended.endsWith(mark.charAt(0)) ? mended + mark.charAt(0) : mended.trimEnd() + mark;
  }
  const single = /(?:^|[^*\w])\*(?![*\s])[^*\n]+$/.test(mended.replaceAll('**', ''));
  return single && !mended.endsWith('*') ? `${mended.trimEnd()}*` : mended;
}

function isOdd(text: string, mark: string): boolean {
  return (text.split(mark).length - 1) % 2 === 1;
}
