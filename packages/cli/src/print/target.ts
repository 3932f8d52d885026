// The command or URL of a server's entry in one line, with values that may be secret hidden. Variables are shown as
// written, and never with their values.

import { looksLikeToken, soundsSecret } from '@plugboard/base';
import { entryTarget, type ServerEntry } from '@plugboard/host/configuration';

const HIDDEN = '(hidden)';

export function targetOf(entry: ServerEntry): string {
  const target = entryTarget(entry);
  switch (target.kind) {
    case 'command':
      return shownArgv(target.argv);
    case 'url':
      return shownUrl(target.url);
    case 'none':
      return '(in this program)';
    default:
      return target satisfies never;
  }
}

function shownArgv([command = '', ...args]: readonly string[]): string {
  return [command, ...shownWords(args)].map(quote).join(' ');
}

/** Shows a value that consists of placeholders. Any other value may be a secret, including the default of a placeholder. */
export function maskValue(value: string): string {
  return /^(?:(?:Bearer|Basic|Token) )?(?:\$\{(?:secret:[\w.-]+|\w+)\})+$/i.test(value)
    ? value
    : HIDDEN;
}

export function maskValues(
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, maskValue(value)]));
}

/** Includes `--header`, whose value is a whole header, and names such as `--key`. */
function isSecretName(name: string): boolean {
  return soundsSecret(name) || /header|^-*(?:key|pass|pwd|pat)$/i.test(name);
}

/** Whether the value of a variable or a header is a secret in plain text. */
export function looksSecret(name: string, value: string): boolean {
  if (maskValue(value) !== HIDDEN) return false;
  const hasPassword = URL_START.test(value) && CREDENTIALS.test(value);
  return hasPassword || isSecretName(name) || looksLikeToken(value);
}

/** Whether a command or a URL contains a secret in plain text. */
export function holdSecret(words: readonly string[]): boolean {
  const shown = shownWords(words);
  return words.some(
    (word, index) =>
      (shown[index] !== word && shown[index]?.endsWith(HIDDEN)) ||
      (URL_START.test(word) && (CREDENTIALS.test(word) || SECRET_QUERY.test(word))),
  );
}

const SECRET_QUERY = /[?&][^=&#]*(?:token|secret|passw|key|auth|sig)[^=&#]*=(?!\$\{)[^&#]/i;
const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Hides the x of `--token x`, `--token=x`, `-e API_TOKEN=x` and `postgres://user:x@host`. */
export function shownWords(words: readonly string[]): readonly string[] {
  return words.map((word, index) => {
    const [, name = '', value] = /^([-\w]+)=(.*)$/s.exec(word) ?? [];
    if (value !== undefined && isSecretName(name)) return `${name}=${maskValue(value)}`;
    const before = words[index - 1] ?? '';
    const isValue = /^--?[-\w]+$/.test(before) && isSecretName(before) && !word.startsWith('-');
    if (isValue || looksLikeToken(word)) return maskValue(word);
    return shownUrl(word);
  });
}

/** `user:password@`, where the password may contain any character, or `user@`. A port is not a password. */
const CREDENTIALS = /^([^:]+:\/\/)(?:[^/:@]*:(?!\d*(?:[/?#]|$)).*@|[^/]*@)/s;

/** Removes the user, the password and the query. Also works on a URL that cannot be parsed. */
export function shownUrl(text: string): string {
  if (!URL_START.test(text)) return text;
  return text.replace(CREDENTIALS, '$1').replace(/[?#].*$/s, '');
}

/** As a POSIX shell reads it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Readable in a table or a message; for a shell, use `shellWord`. */
export function quote(word: string): string {
  return /^[\w@%+=:,./${}()~-]+$/.test(word) ? word : JSON.stringify(word);
}
