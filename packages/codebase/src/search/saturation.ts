// Further pieces of a file tell less than the first: each counts half of the one before, so that one
// long file does not fill the answer.

const DECAY = 0.5;

/** What is left of each, given the best first. */
export function saturate(paths: readonly string[]): readonly number[] {
  const seen = new Map<string, number>();
  return paths.map((path) => {
    const before = seen.get(path) ?? 0;
    seen.set(path, before + 1);
    return DECAY ** before;
  });
}
