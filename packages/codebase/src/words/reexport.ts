// Whether a file does little else than hand on what other files of the same tree declare. One that
// hands on what a package declares is the only place in the tree where it can be found, so it counts
// as a declaration.

interface Rules {
  readonly comments: RegExp;
  readonly handsOn: RegExp;
  /** Neither here nor there: what is brought in, and listed to be taken out. */
  readonly neutral: RegExp;
}

// Lists are bounded by what cannot stand in them, or by a number, so that no text takes long.
const SCRIPT: Rules = {
  comments: /\/\*[^]*?(?:\*\/|$(?![^]))|^[ \t]*\/\/[^\n]*/gm,
  handsOn:
    /^[ \t]*export\s+(?:type\s+)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^{}]*\})\s*from\s*['"]\.[^'"\n]*['"];?|^[ \t]*(?:module\.)?exports(?:\.[\w$]+)?\s*=\s*require\(\s*['"]\.[^'"\n]*['"]\s*\);?/gm,
  neutral:
    /^[ \t]*import\b[^;'"]{0,2000}['"][^'"\n]*['"];?|^[ \t]*export\s+(?:type\s+)?\{[^{}]*\};?|^[ \t]*export\s+default\s+[\w$]+;?|^[ \t]*['"]use \w+['"];?/gm,
};
const PYTHON: Rules = {
  comments: /"""[^]*?(?:"""|$(?![^]))|'''[^]*?(?:'''|$(?![^]))|#[^\n]*/gm,
  handsOn: /^from[ \t]+\.[\w.]*[ \t]+import[ \t]+(?:\([^()]*\)|[^(\n][^\n]*)/gm,
  neutral:
    /^import[ \t][^\n]*|^from[ \t]+\w[\w.]*[ \t]+import[ \t]+(?:\([^()]*\)|[^(\n][^\n]*)|^__\w+__[^=\n]*=[ \t]*(?:\[[^[\]]*\]|\([^()]*\)|[^[(\n][^\n]*)/gm,
};
const RUST: Rules = {
  comments: /\/\*[^]*?(?:\*\/|$(?![^]))|\/\/[^\n]*|^[ \t]*#!?\[[^\n]*/gm,
  handsOn: /^[ \t]*pub(?:\([^()\n]*\))?[ \t]+(?:mod[ \t]+\w+[ \t]*|use[ \t][^;]{0,2000});/gm,
  neutral: /^[ \t]*(?:mod[ \t]+\w+[ \t]*|use[ \t][^;]{0,2000});/gm,
};

const RULES: Readonly<Record<string, Rules>> = {
  javascript: SCRIPT,
  python: PYTHON,
  rust: RUST,
  tsx: SCRIPT,
  typescript: SCRIPT,
};
/** As much of the code as may be something else. */
const MOST_OTHER = 0.2;

export function isReexport(text: string, language: string | undefined): boolean {
  const rules = RULES[language ?? ''];
  if (rules === undefined) return false;
  const code = text.replace(rules.comments, '');
  const withoutHandedOn = code.replace(rules.handsOn, '');
  const handedOn = weightOf(code) - weightOf(withoutHandedOn);
  if (handedOn === 0) return false;
  const other = weightOf(withoutHandedOn.replace(rules.neutral, ''));
  return other <= MOST_OTHER * (handedOn + other);
}

function weightOf(code: string): number {
  return code.replace(/\s+/g, '').length;
}
