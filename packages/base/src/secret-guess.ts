// Whether something looks like a secret, by its name or by itself. A guess, for hiding what is shown or
// kept and for suggesting a better place; nothing may depend on its being right.

const NAME =
  /token|secret|passw|credential|api[-_]?key|access[-_]?key|private[-_]?key|auth(?!or(?!i[sz]))|bearer|cookie|[-_](?:key|pass|pwd|pat)$/i;

/** How the tokens of well-known services begin. */
const TOKEN = /^(?:sk-|gh[opsu]_|github_pat_|glpat-|xox[a-z]-|AKIA|eyJ)\S{8,}$|^Bearer /;

/** Of a variable, a header, an option or a field. */
export function soundsSecret(name: string): boolean {
  return NAME.test(name);
}

export function looksLikeToken(value: string): boolean {
  return TOKEN.test(value);
}
