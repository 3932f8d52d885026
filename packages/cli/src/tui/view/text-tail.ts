// The end of a growing text, for a screen without room for all of it.

const ROW = /^ {0,3}\|/;
const SEPARATOR = /^ {0,3}\|[\s|:-]+$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The last lines of a text. Repeats the opening of the code fence or the head of the table that they are in. */
export function tailOf(text: string, lines: number): string {
  const all = text.split('\n');
  if (all.length <= lines) return text;
  let fence: string | undefined;
  let opening = '';
  for (const line of all.slice(0, -lines)) {
    const mark = FENCE.exec(line)?.[1];
    if (mark === undefined) continue;
    if (fence === undefined) opening = line;
    fence = fenceAfter(fence, mark);
  }
  const tail = all.slice(-lines).join('\n');
  if (fence !== undefined) return `${opening}\n${tail}`;
  const head = tableHead(all, all.length - lines);
  return [...head, tail].join('\n');
}

/** The head and separator of the table in which the tail begins, if they are cut off. */
function tableHead(all: readonly string[], start: number): readonly string[] {
  let first = start;
  while (first >= 0 && ROW.test(all[first] ?? '')) first -= 1;
  const head = all.slice(first + 1, first + 3);
  const isTable = first + 2 < start && SEPARATOR.test(head[1] ?? '');
  return isTable ? head : [];
}

function fenceAfter(open: string | undefined, mark: string): string | undefined {
  if (open === undefined) return mark;
  return mark[0] === open[0] && mark.length >= open.length ? undefined : open;
}
