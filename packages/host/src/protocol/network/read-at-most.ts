// Reads a body up to a limit. Counts bytes after decompression, so a small answer that unpacks into a large one counts as
// large.

/** Returns `undefined` if the body is longer; the rest is not fetched. */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (body === null) return Buffer.alloc(0);
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(pieces);
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    pieces.push(value);
  }
}
