// For behaviour that is a relation between two real times, such as "signs of life come more often than the deadline". A
// machine that is busy breaks any relation of short times, so the same is tried with longer ones.

const FIRST_MS = 100;
const LAST_MS = 12_800;

/** Makes the attempt with a unit of time that doubles until the attempt succeeds; fails as the longest one does. */
export async function atSomePace<T>(attempt: (unitMs: number) => Promise<T>): Promise<T> {
  for (let unitMs = FIRST_MS; ; unitMs *= 2) {
    try {
      return await attempt(unitMs);
    } catch (thrown) {
      if (unitMs >= LAST_MS) throw thrown;
    }
  }
}
