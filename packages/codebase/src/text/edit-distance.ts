// How unlike two words are, to guess which one was meant. Pure.

/** How many characters have to be added, left out or changed; `Infinity` if it is certainly more than `most`. */
export function editDistance(
  one: ArrayLike<string>,
  other: ArrayLike<string>,
  most = Infinity,
): number {
  if (Math.abs(one.length - other.length) > most) return Infinity;
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const changed = (before[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1);
      now.push(Math.min(changed, (before[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1));
    }
    before = now;
  }
  return before[other.length] ?? 0;
}
