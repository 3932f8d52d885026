// Base64 of servers: its size, and its bytes in pieces, so that large data is never in memory twice. Foreign
// characters are skipped, as in other decoders.

const PIECE = 1024 * 1024;
const FOREIGN = /[^A-Za-z0-9+/_-]/g;

/** The number of bytes that a Base64 text encodes. */
export function bytesOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

export function* decodedPieces(base64: string): Generator<Uint8Array> {
  let carried = '';
  for (let from = 0; from < base64.length; from += PIECE) {
    const clean = carried + base64.slice(from, from + PIECE).replaceAll(FOREIGN, '');
    // Four characters are three bytes; the rest is carried over to the next piece.
    const whole = clean.length - (clean.length % 4);
    carried = clean.slice(whole);
    yield Buffer.from(clean.slice(0, whole), 'base64');
  }
  if (carried !== '') yield Buffer.from(carried, 'base64');
}
