// Finds every command line of a page: in `sh` blocks, in transcripts (`$ ` before the command), and in running
// text, where inline code is a whole command. Pure; running them is left to the caller.

export type PageStep =
  /** A block whose info names a file: `jsonc .mcp.json`. */
  | { readonly kind: 'file'; readonly line: number; readonly path: string; readonly body: string }
  | CommandLine;

export interface CommandLine {
  readonly kind: 'command';
  readonly line: number;
  readonly place: 'block' | 'transcript' | 'text';
  /** Without the comment behind it. */
  readonly command: string;
  /** What a transcript shows below the command. */
  readonly shown: string;
}

interface Block {
  readonly line: number;
  readonly info: string;
  readonly lines: readonly string[];
}

/** The blocks of a page in their order, and then the inline code, each command of which is named once. */
export function stepsOf(markdown: string): readonly PageStep[] {
  const { blocks, text } = split(markdown);
  const steps = blocks.flatMap(stepsOfBlock);
  const known = new Set(steps.map((step) => (step.kind === 'command' ? step.command : '')));
  const inline = inlineCommands(text).filter(({ command }) => {
    const isNew = !known.has(command);
    known.add(command);
    return isNew;
  });
  return [...steps, ...inline];
}

/** Blocks are taken out of the text, and their lines left empty, so that the numbers of lines stay. */
function split(markdown: string): { readonly blocks: readonly Block[]; readonly text: string } {
  const blocks: Block[] = [];
  let open: { line: number; info: string; lines: string[] } | undefined;
  const rest = markdown.split('\n').map((line, index) => {
    const [, info] = /^```(.*)$/.exec(line) ?? [];
    if (open === undefined && info === undefined) return line;
    if (open === undefined) open = { line: index + 1, info: info ?? '', lines: [] };
    else if (info === undefined) open.lines.push(line);
    else {
      blocks.push(open);
      open = undefined;
    }
    return '';
  });
  return { blocks, text: rest.join('\n') };
}

const FILE = /^jsonc? (\S+)$/;
const SHELL: readonly string[] = ['sh', 'console', ''];

function stepsOfBlock({ line, info, lines }: Block): readonly PageStep[] {
  const [, path] = FILE.exec(info) ?? [];
  if (path !== undefined) return [{ kind: 'file', line, path, body: `${lines.join('\n')}\n` }];
  if (!SHELL.includes(info)) return [];
  if (lines.some((each) => each.startsWith('$ '))) return transcript(line, lines);
  if (info !== 'sh') return [];
  return lines.flatMap((each, index) => {
    const command = withoutComment(each);
    if (command === '') return [];
    return [{ kind: 'command', line: line + 1 + index, place: 'block', command, shown: '' }];
  });
}

function transcript(start: number, lines: readonly string[]): readonly CommandLine[] {
  const commands: CommandLine[] = [];
  for (const [index, each] of lines.entries()) {
    const last = commands.at(-1);
    if (each.startsWith('$ ')) {
      const line = start + 1 + index;
      const command = each.slice(2);
      commands.push({ kind: 'command', line, place: 'transcript', command, shown: '' });
    } else if (last !== undefined) {
      commands[commands.length - 1] = { ...last, shown: `${last.shown}${each}\n` };
    }
  }
  return commands;
}

/** A comment begins with `#` after a blank, outside of quotes. */
function withoutComment(line: string): string {
  const [code = ''] = /^(?:'[^']*'|"[^"]*"|\S#|[^#'"]|(?<=\S)#)*/.exec(line) ?? [];
  return code.trim();
}

const INLINE = /(?<!`)`([^`]+)`(?!`)/g;
const COMMAND =
  /^(?:(?:npx )?plugboard(?:-codebase)?(?: |$)|npm (?:ci|run|start|test)(?: |$)|alias )/;

function inlineCommands(text: string): readonly CommandLine[] {
  return [...text.matchAll(INLINE)].flatMap(({ 1: code = '', index }) => {
    const command = code.replaceAll(/\s+/g, ' ');
    if (!COMMAND.test(command)) return [];
    const line = text.slice(0, index).split('\n').length;
    return variantsOf(command).map(
      (each) => ({ kind: 'command', line, place: 'text', command: each, shown: '' }) as const,
    );
  });
}

/** `[NAME]` may be there or not; both are command lines. */
function variantsOf(command: string): readonly string[] {
  const optional = / \[([A-Z]+)\]/;
  return optional.test(command)
    ? [command.replace(optional, ''), command.replace(optional, ' $1')]
    : [command];
}
