// Finds code that is written into a command line, as in `bash -c '…'`. Treats every word as a possible start
// of a program, so that `env X=1 sh -c` and `docker run image sh -c` are found too. Only a hint for the
// person who reads the command line: a program can run code in many other ways.

import { programName } from './program-name.ts';

export interface InlineCode {
  readonly program: string;
  readonly flag: string;
}

export function findInlineCode(argv: readonly string[]): InlineCode | undefined {
  for (const [index, word] of argv.entries()) {
    const program = programName(word);
    const interpreter = INTERPRETERS.find(({ names }) => names.test(program));
    const flag = interpreter && codeFlag(argv.slice(index + 1), interpreter);
    if (flag !== undefined) return { program, flag };
  }
  return undefined;
}

interface Interpreter {
  readonly names: RegExp;
  /** The flags that are followed by code. */
  readonly code: RegExp;
  /** The flags that are followed by a value. */
  readonly valued?: RegExp;
}

const INTERPRETERS: readonly Interpreter[] = [
  {
    names: /^(?:ba|da|z|k|mk|a|fi|c|tc)?sh$/,
    code: /^(?:-\w*c\w*|--command(?:=.*)?)$/s,
    valued: /^[-+]\w*[oO]$|^--(?:rcfile|init-file)$/,
  },
  {
    names: /^(?:node|nodejs|bun|tsx|ts-node|electron)$/,
    code: /^(?:-[pe]+|--(?:eval|print)(?:=.*)?)$/s,
    valued: /^(?:-r|-C|--(?:require|import|loader|experimental-loader|conditions|env-file))$/,
  },
  { names: /^deno$/, code: /^eval$/ },
  {
    names: /^(?:python|pypy)[\d.]*w?$|^py$/,
    code: /^-[A-Za-z]*c/,
    valued: /^-[A-Za-z]*[WX]$/,
  },
  { names: /^(?:perl|ruby|jruby)[\d.]*$/, code: /^-[a-qs-z\d]*[eE]/, valued: /^-[IrC]$/ },
  { names: /^php[\d.]*$/, code: /^(?:-[rBRE]|--(?:run|process-code))/, valued: /^-[cd]$/ },
  {
    names: /^(?:lua[\d.]*|luajit|rscript|julia|osascript|elixir|groovy|ghc)$/,
    code: /^(?:-\w*[eE]|--eval)/,
  },
  {
    names: /^(?:powershell|pwsh)$/,
    // Accepts any prefix of -Command and -EncodedCommand.
    code: /^[-/]{1,2}(?:c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?|cwa|commandwithargs|ec|e(?:n(?:c\w*)?)?)$/i,
    valued:
      /^[-/]{1,2}(?:ex\w*|ep|w\w*|v\w*|inputformat|outputformat|o|if|of|configurationname|config|settingsfile|psconsolefile)$/i,
  },
  { names: /^cmd$/, code: /^\/[ckr]/i },
  {
    names: /^(?:npx|npm|pnpm)$/,
    code: /^(?:-c|--call(?:=.*)?|--shell-mode)$/s,
    valued: /^(?:-p|--package|exec|x)$/,
  },
];

/** `-c`, `+x`, `/d`, `/v:on`; no path. */
const FLAG = /^(?:[-+].|\/\w(?::|$))/;

/** Flags end at the first word that is not a flag; the rest are arguments of the program's script. */
function codeFlag(words: readonly string[], interpreter: Interpreter): string | undefined {
  const { code, valued } = interpreter;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (code.test(word)) return word.replace(/=.*$/s, '');
    if (valued?.test(word) === true) {
      // `npm exec` has no value; the other flags are followed by one.
      if (/^[-+/]/.test(word)) index += 1;
    } else if (!FLAG.test(word) || word === '--') return undefined;
  }
  return undefined;
}
