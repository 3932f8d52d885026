// Detects files that do little but re-export what other files of the same tree declare. A file that re-exports what a
// package declares is the only place in the tree where that can be found, so it counts as a declaration.

import type { LanguageName } from '../chunk/index.ts';

interface Rules {
  readonly comments: RegExp;
  readonly reexports: RegExp;
  /** Imports and export lists, which count neither as re-exports nor as other code. */
  readonly neutral: RegExp;
}

// Lists are bounded by characters that they cannot contain, or by a length, so that matching takes linear time.
const SCRIPT: Rules = {
  comments: /\/\*[^]*?(?:\*\/|$(?![^]))|^[ \t]*\/\/[^\n]*/gm,
  reexports:
    /^[ \t]*export\s+(?:type\s+)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^{}]*\})\s*from\s*['"]\.[^'"\n]*['"];?|^[ \t]*(?:module\.)?exports(?:\.[\w$]+)?\s*=\s*require\(\s*['"]\.[^'"\n]*['"]\s*\);?/gm,
  neutral:
    /^[ \t]*import\b[^;'"]{0,2000}['"][^'"\n]*['"];?|^[ \t]*export\s+(?:type\s+)?\{[^{}]*\};?|^[ \t]*export\s+default\s+[\w$]+;?|^[ \t]*['"]use \w+['"];?/gm,
};
const PYTHON: Rules = {
  comments: /"""[^]*?(?:"""|$(?![^]))|'''[^]*?(?:'''|$(?![^]))|#[^\n]*/gm,
  reexports: /^from[ \t]+\.[\w.]*[ \t]+import[ \t]+(?:\([^()]*\)|[^(\n][^\n]*)/gm,
  neutral:
    /^import[ \t][^\n]*|^from[ \t]+\w[\w.]*[ \t]+import[ \t]+(?:\([^()]*\)|[^(\n][^\n]*)|^__\w+__[^=\n]*=[ \t]*(?:\[[^[\]]*\]|\([^()]*\)|[^[(\n][^\n]*)/gm,
};
const RUST: Rules = {
  comments: /\/\*[^]*?(?:\*\/|$(?![^]))|\/\/[^\n]*|^[ \t]*#!?\[[^\n]*/gm,
  reexports: /^[ \t]*pub(?:\([^()\n]*\))?[ \t]+(?:mod[ \t]+\w+[ \t]*|use[ \t][^;]{0,2000});/gm,
  neutral: /^[ \t]*(?:mod[ \t]+\w+[ \t]*|use[ \t][^;]{0,2000});/gm,
};

const RULES: Partial<Readonly<Record<LanguageName, Rules>>> = {
  javascript: SCRIPT,
  python: PYTHON,
  rust: RUST,
  tsx: SCRIPT,
  typescript: SCRIPT,
};
/** The largest share of other code. */
const MOST_OTHER = 0.2;

export function isReexport(text: string, language: LanguageName | undefined): boolean {
  const rules = RULES[language ?? 'text'];
  if (rules === undefined) return false;
  const code = text.replace(rules.comments, '');
  const withoutReexports = code.replace(rules.reexports, '');
  const reexported = weightOf(code) - weightOf(withoutReexports);
  if (reexported === 0) return false;
  const other = weightOf(withoutReexports.replace(rules.neutral, ''));
  return other <= MOST_OTHER * (reexported + other);
}

function weightOf(code: string): number {
  return code.replace(/\s+/g, '').length;
}
