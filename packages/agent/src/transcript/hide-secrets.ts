// Removes text that looks like a secret before it is stored: the tokens of well-known services, and values after a word
// such as `password`. Other secrets cannot be recognized. Pure.

import { type Json, isObject, soundsSecret } from '@plugboard/base';

const HIDDEN = '[hidden]';

const TOKENS = [
  /\b(?:sk-[\w-]{16,}|gh[opsu]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|AKIA[A-Z\d]{12,}|AIza[\w-]{30,})/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** The word stays, and the value after it is removed. */
const NAMED =
  /\b((?:authorization\s*[:=]\s*)?(?:bearer|basic)\s+)[\w.~+/=-]{12,}|((?:api[-_]?key|access[-_]?token|secret|password|passwd)["']?\s*[:=]\s*["']?)[^\s"',;]{6,}/gi;

export function hideSecrets(text: string): string {
  const hidden = TOKENS.reduce((left, token) => left.replaceAll(token, HIDDEN), text);
  return hidden.replaceAll(
    NAMED,
    (_, scheme: string | undefined, name: string | undefined) => `${scheme ?? name ?? ''}${HIDDEN}`,
  );
}

/** Hides secrets in all texts of a value, and every text whose key sounds secret. */
export function hideSecretsIn(value: Json): Json {
  if (typeof value === 'string') return hideSecrets(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map(hideSecretsIn);
  if (!isObject(value)) return value;
  const entries = Object.entries(value as Readonly<Record<string, Json>>).map(([key, inner]) => [
    key,
    typeof inner === 'string' && inner !== '' && soundsSecret(key) ? HIDDEN : hideSecretsIn(inner),
  ]);
  return Object.fromEntries(entries) as Json;
}
