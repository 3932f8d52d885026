// Decodes UTF-8 strictly: invalid bytes are never replaced.

/** `undefined` if the bytes are not UTF-8. A byte order mark is removed, unless the text is to be written back. */
export function decodeUtf8(
  bytes: Uint8Array,
  { byteOrderMark }: { readonly byteOrderMark?: 'keep' | undefined } = {},
): string | undefined {
  try {
    const ignoreBOM = byteOrderMark === 'keep';
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    // The decoder throws only if the bytes are not UTF-8.
    return undefined;
  }
}
