// An error in the manifest of a bundle. Only the author of the bundle can correct it.

import type { FieldPath, Finding } from '../../config/index.ts';

const ASK_THE_AUTHOR = 'Get another version of the bundle, or tell its author.';

export function manifestFinding(code: Finding['code'], path: FieldPath, message: string): Finding {
  return { severity: 'error', code, path, on: 'value', message, suggestion: ASK_THE_AUTHOR };
}
