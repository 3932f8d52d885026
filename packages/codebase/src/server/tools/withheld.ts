// Refuses files that are withheld unless the call requests them: ignored files, and files that look like secrets. The refusal
// tells how to get them.

import type { CodebaseParts } from '../parts/codebase-parts.ts';

const WHY = {
  secret: 'it looks like a secret (a key, a password, a token)',
  ignored: 'an ignore file leaves it out',
} as const;

/** `undefined` if the file may be read. */
export async function withheldWords(
  path: string,
  { root, ignored }: Pick<CodebaseParts, 'root' | 'ignored'>,
  isRequested = false,
): Promise<string | undefined> {
  if (isRequested && ignored === 'on-request') return undefined;
  const why = await root.whyWithheld(path);
  if (why === undefined) return undefined;
  const how =
    ignored === 'on-request'
      ? 'if it is needed, call read_file with "ignored": true, which a person may be asked about'
      : 'to have such files read, start this server with --allow-ignored';
  return `${JSON.stringify(path)} is not read unasked: ${WHY[why]}; ${how}`;
}
