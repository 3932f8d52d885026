// Splits a shell line into words as bash would, if the line is one plain command. A line with any other feature of a shell
// (several commands, pipes, redirections, substitutions, variables, assignments, here-documents, braces, keywords) is not
// plain, and no rule that allows matches it. The effect of the program's arguments is not considered. Pure.

export interface CommandWord {
  readonly text: string;
  /** False if the shell replaces the word: `*` by file names, `~` by a home folder. */
  readonly isLiteral: boolean;
}

/** Words that begin a compound command, or that are not commands. */
const KEYWORDS = new Set(
  'if then elif else fi for while until do done case esac select function time coproc in ! [[ ]] { }'.split(
    ' ',
  ),
);

/** Invisible characters and line ends; only a space and a tab separate words. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]|(?! )\p{Zs}/u;

/** Characters that the shell interprets outside of quotes. */
const OPERATORS = new Set(';&|<>()$`{}');
const GLOBS = new Set('*?[');

/** `undefined` if the line is not one plain command. */
export function plainCommand(line: string): readonly CommandWord[] | undefined {
  if (UNSEEN.test(line.replaceAll('\t', ' '))) return undefined;
  const words: CommandWord[] = [];
  let at = 0;
  while (at < line.length) {
    if (line[at] === ' ' || line[at] === '\t') {
      at += 1;
      continue;
    }
    const read = readWord(line, at);
    if (read === undefined) return undefined;
    words.push(read.word);
    at = read.end;
  }
  const [program] = words;
  if (program?.isLiteral !== true || program.text === '') return undefined;
  // `A=b program` sets a variable for it, and `git\=x` is too odd to tell apart.
  return program.text.includes('=') || KEYWORDS.has(program.text) ? undefined : words;
}

interface ReadWord {
  readonly word: CommandWord;
  readonly end: number;
}

function readWord(line: string, start: number): ReadWord | undefined {
  const first = line[start];
  // A comment hides what follows it.
  if (first === '#') return undefined;
  let text = '';
  let isLiteral = first !== '~';
  let at = start;
  while (at < line.length && line[at] !== ' ' && line[at] !== '\t') {
    const character = line[at] ?? '';
    if (OPERATORS.has(character)) return undefined;
    if (character === "'" || character === '"') {
      const quoted = readQuoted(line, at);
      if (quoted === undefined) return undefined;
      text += quoted.text;
      at = quoted.end;
    } else if (character === '\\') {
      const next = line[at + 1];
      if (next === undefined) return undefined;
      text += next;
      at += 2;
    } else {
      if (GLOBS.has(character)) isLiteral = false;
      text += character;
      at += 1;
    }
  }
  return { word: { text, isLiteral }, end: at };
}

interface Quoted {
  readonly text: string;
  readonly end: number;
}

function readQuoted(line: string, start: number): Quoted | undefined {
  const quote = line[start];
  let text = '';
  for (let at = start + 1; at < line.length; at += 1) {
    const character = line[at] ?? '';
    if (character === quote) return { text, end: at + 1 };
    if (quote === '"') {
      if (character === '$' || character === '`') return undefined;
      const next = line[at + 1];
      if (character === '\\' && next !== undefined && '$`"\\'.includes(next)) {
        text += next;
        at += 1;
        continue;
      }
    }
    text += character;
  }
  return undefined;
}

/** The words of a command in a rule, and whether more may follow. */
export interface CommandPattern {
  readonly words: readonly string[];
  readonly isOpen: boolean;
}

/** In `git status *`, the `*` at the end stands for any number of words. `undefined` if the text is not a plain command. */
export function commandPattern(text: string): CommandPattern | undefined {
  const isOpen = /(?:^|[ \t])\*$/.test(text);
  const words = plainCommand(isOpen ? text.slice(0, -1) : text);
  if (words?.every(({ isLiteral }) => isLiteral) !== true) return undefined;
  return { words: words.map((word) => word.text), isOpen };
}

/** `unclear` if the line is not one plain command. */
export function runsCommand(
  line: string,
  pattern: CommandPattern | undefined,
): 'yes' | 'no' | 'unclear' {
  const words = plainCommand(line);
  if (words === undefined || pattern === undefined) return 'unclear';
  const { words: wanted, isOpen } = pattern;
  const rest = words.slice(wanted.length);
  const begins = wanted.every((word, index) => words[index]?.text === word);
  if (!begins || (!isOpen && rest.length > 0)) return 'no';
  const isSame = words.slice(0, wanted.length).every(({ isLiteral }) => isLiteral);
  return isSame && rest.every(isTame) ? 'yes' : 'unclear';
}

/** File names that take the place of `*` must not become options: `src/*` never does, `*` may. */
function isTame({ text, isLiteral }: CommandWord): boolean {
  return isLiteral || /^[^-*?[]/.test(text);
}
