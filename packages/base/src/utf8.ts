// Bytes as text, or nothing where they are not UTF-8. What a decoder would replace is never replaced here.

/** A byte order mark is left out unless it is to be kept, as for text that is written back. */
export function decodeUtf8(
  bytes: Uint8Array,
  { byteOrderMark }: { readonly byteOrderMark?: 'keep' | undefined } = {},
): string | undefined {
  try {
    const ignoreBOM = byteOrderMark === 'keep';
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    // The decoder has only one complaint: not UTF-8.
    return undefined;
  }
}
