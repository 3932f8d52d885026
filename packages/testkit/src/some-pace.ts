// For behaviour that relates two real times, such as "heartbeats are more frequent than the deadline". On a busy
// machine, short times do not keep such a relation, so the attempt is repeated with longer ones.

const FIRST_MS = 100;
const LAST_MS = 12_800;

/** Repeats the attempt with doubled units of time until it succeeds; fails like the longest attempt. */
export async function atSomePace<T>(attempt: (unitMs: number) => Promise<T>): Promise<T> {
  for (let unitMs = FIRST_MS; ; unitMs *= 2) {
    try {
      return await attempt(unitMs);
    } catch (thrown) {
      if (unitMs >= LAST_MS) throw thrown;
    }
  }
}
