import { readFileSync } from 'node:fs';

/** Of this package, as its manifest has it. */
export function ownVersion(): string {
  // `src` and `dist` lie side by side, so the way is the same from both.
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
