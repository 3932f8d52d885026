// What a server's entry would run or reach, in one line, with what may be secret left out. Values of
// variables are safe by nature: they are shown as written, before anything is filled in.

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

/** A value that only names variables or secrets says nothing; any other may be a secret, a default too. */
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

/** The value of `--header` is a header, its name included; `--key` alone means one as well. */
function isSecretName(name: string): boolean {
  return soundsSecret(name) || /header|^-*(?:key|pass|pwd|pat)$/i.test(name);
}

/** Whether a variable or a header of this name has its secret written out. */
export function looksSecret(name: string, value: string): boolean {
  if (maskValue(value) !== HIDDEN) return false;
  const hasPassword = URL_START.test(value) && CREDENTIALS.test(value);
  return hasPassword || isSecretName(name) || looksLikeToken(value);
}

/** Whether a command or a URL has a secret written out. */
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

/** `--token x`, `--token=x`, `-e API_TOKEN=x`, `postgres://user:x@host`: none with its x. */
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

/** `user:password@`, where a password may hold anything, or `user@`. A port is no password. */
const CREDENTIALS = /^([^:]+:\/\/)(?:[^/:@]*:(?!\d*(?:[/?#]|$)).*@|[^/]*@)/s;

/** Without the user, the password and the query. It need not be a URL that can be parsed. */
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
