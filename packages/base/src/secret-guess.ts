// Guesses whether a value is a secret, by its name or its form: to hide it in output and files, and to suggest a better
// place. No security decision may depend on the guess.

const NAME =
  /token|secret|passw|credential|api[-_]?key|access[-_]?key|private[-_]?key|auth(?!or(?!i[sz]))|bearer|cookie|[-_](?:key|pass|pwd|pat)$/i;

/** The beginnings of tokens of well-known services. */
const TOKEN = /^(?:sk-|gh[opsu]_|github_pat_|glpat-|xox[a-z]-|AKIA|eyJ)\S{8,}$|^Bearer /;

/** For the name of a variable, a header, an option or a field. */
export function soundsSecret(name: string): boolean {
  return NAME.test(name);
}

export function looksLikeToken(value: string): boolean {
  return TOKEN.test(value);
}
