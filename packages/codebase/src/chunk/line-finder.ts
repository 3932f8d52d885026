// Maps the offsets of a text to its line numbers.

/** The line that an offset is in, from 1. */
export function lineFinder(text: string): (offset: number) => number {
  const feeds: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) feeds.push(at);
  return (offset) => {
    let low = 0;
    let high = feeds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((feeds[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
