// How a text is written as the value of an HTTP header: as it is where a header can hold it, and
// otherwise in base64 between two marks. Pure.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding

const OPENING = '=?base64?';
const CLOSING = '?=';

/** Printable ASCII that neither begins nor ends with a space. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;

export function headerValue(text: string): string {
  // What begins like the marks would be taken for them.
  if (PLAIN.test(text) && !text.startsWith(OPENING)) return text;
  return `${OPENING}${Buffer.from(text, 'utf8').toString('base64')}${CLOSING}`;
}
