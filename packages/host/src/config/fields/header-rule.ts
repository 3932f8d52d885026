// What may be sent as a header: the same for those that an entry writes out and those that a command
// prints.

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** False where it holds what would end the header, and could begin another. */
export function isHeaderValue(text: string): boolean {
  return !/[\0\r\n]/.test(text);
}
