// Warns about values in a server's entry that look like secrets in plain text, and suggests a name to store each under. This
// is a guess, so nothing is refused.

import type { Context } from '../context.ts';
import {
  type EntryToShow,
  type PlainSecret,
  plainSecretWarning,
  type SecretAdvice,
} from '../print/add-words.ts';
import { writeError } from '../print/error.ts';
import { looksSecret } from '../print/target.ts';

export interface WrittenValue {
  readonly kind: 'env' | 'header';
  readonly server: string;
  readonly name: string;
  readonly value: string;
}

export function adviceFor({ kind, server, name, value }: WrittenValue): SecretAdvice {
  const secret = kind === 'env' ? name : `${secretName(server)}_${secretName(name)}`;
  const word = /^(?:Bearer|Basic|Token) /i.exec(value)?.[0] ?? '';
  return { secret, instead: `${word}\${secret:${secret}}` };
}

export function secretName(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}

export function warnOfSecrets({ isJson, terminal }: Context, written: EntryToShow): void {
  if (isJson) return;
  for (const secret of secretsIn(written)) {
    writeError(terminal.err, plainSecretWarning(secret, written.file), 'warning');
  }
}

function secretsIn({ name: server, entry }: EntryToShow): readonly PlainSecret[] {
  const pairs = (['env', 'header'] as const).flatMap((kind) =>
    Object.entries(entry[kind === 'env' ? 'env' : 'headers'] ?? {}).map(
      ([name, value]): WrittenValue => ({ kind, server, name, value: String(value) }),
    ),
  );
  return pairs
    .filter(({ name, value }) => looksSecret(name, value))
    .map((pair) => ({ name: pair.name, ...adviceFor(pair) }));
}
