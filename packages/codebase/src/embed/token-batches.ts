// Which texts run through the model together. Those of a batch are padded to its longest, so texts of about the same
// length go together; a batch is small, since a question has to wait for the one that runs.

/** The tokens of a batch with padding. More gained nothing when measured, and takes longer and more memory. */
const MOST_TOKENS = 768;
const MOST_TEXTS = 32;

/** Groups what is given, shortest first. Every item is in one group. */
export function batchesOf<T extends { readonly ids: Int32Array }>(
  items: readonly T[],
): readonly (readonly T[])[] {
  const batches: T[][] = [];
  let batch: T[] = [];
  for (const item of items.toSorted((a, b) => a.ids.length - b.ids.length)) {
    const isFull = batch.length === MOST_TEXTS;
    if (batch.length > 0 && (isFull || (batch.length + 1) * item.ids.length > MOST_TOKENS)) {
      batches.push(batch);
      batch = [];
    }
    batch.push(item);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
