/**
 * Whether `new URL(text, base)` succeeds. Not `URL.canParse`: once Node 20 has compiled a caller of it, it refuses every
 * address with a letter such as "ä", so a long-lived process would judge an address differently than a new one.
 */
export function isUrl(text: string, base?: string | URL): boolean {
  try {
    return new URL(text, base) instanceof URL;
  } catch {
    return false;
  }
}
