// Whether a shell line is one plain command, and its words, split as bash would split them. A line with anything else
// that a shell can do (several commands, pipes, redirections, substitutions, variables, assignments, here-documents,
// braces, keywords) is not plain, and no rule that allows matches it. What the program itself can be told to do is not
// considered. Pure.

export interface CommandWord {
  readonly text: string;
  /** False where the shell puts other words in its place: file names for `*`, a home folder for `~`. */
  readonly isLiteral: boolean;
}

/** Its words begin a compound command, or are none of a command at all. */
const KEYWORDS = new Set(
  'if then elif else fi for while until do done case esac select function time coproc in ! [[ ]] { }'.split(
    ' ',
  ),
);

/** Anything that is not seen, or that ends a line; only a space and a tab stand between words. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]|(?! )\p{Zs}/u;

/** What the shell acts on outside of quotes. */
const ACTS = new Set(';&|<>()$`{}');
const GLOBS = new Set('*?[');

/** Undefined where the line is more, or something else, than one plain command. */
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
    if (ACTS.has(character)) return undefined;
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

/** What a rule says of a command: its words, and whether others may follow. */
export interface CommandPattern {
  readonly words: readonly string[];
  readonly isOpen: boolean;
}

/** `git status *`: a `*` of its own at the end stands for any more words, or none. Undefined where it can mean nothing. */
export function commandPattern(text: string): CommandPattern | undefined {
  const isOpen = /(?:^|[ \t])\*$/.test(text);
  const words = plainCommand(isOpen ? text.slice(0, -1) : text);
  if (words?.every(({ isLiteral }) => isLiteral) !== true) return undefined;
  return { words: words.map((word) => word.text), isOpen };
}

/** Unclear where the line is not one plain command. */
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
