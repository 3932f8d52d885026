// A call as lines. Folded: the agent, tool, arguments, progress and duration, the change of a file, and the end of a command's
// output. Unfolded: also all arguments and the first lines of the answer. Text of servers stands behind a bar.

import type { CallProgress, ImagePart, ToolAnswer } from '@plugboard/agent';
import { type Json, type JsonObject, parseJson } from '@plugboard/base';
import { visible } from '../../print/visible.ts';
import { argumentLines, shortArguments } from './argument-lines.ts';
import { type CallView, MAIN_AGENT } from './call-view.ts';
import { clean, cleanLine } from './clean.ts';
import { colourCode } from './code-colour.ts';
import { type Change, changeLines } from './diff-lines.ts';
import { byteWords, elapsedWords, plural, timeWords } from './sizes.ts';
import {
  barred,
  type Canvas,
  cutSpans,
  indented,
  inset,
  type Line,
  lineWidth,
  span,
  type Span,
  spread,
  wrapSpans,
} from './spans.ts';
import type { Theme } from './theme.ts';

export interface CallLook extends Canvas {
  readonly isFolded: boolean;
  /** In milliseconds, like `startedAt`. */
  readonly now: number;
}

const MOST_ANSWER_LINES = 10;
const MOST_OUTPUT_LINES = 40;
const WORKSPACE = 'workspace';
const MOST_ARGUMENT_LINES = 20;
const MOST_CHANGE_LINES = 40;
const MOST_ANSWER = 100_000;

export function callLines(call: CallView, look: CallLook): readonly Line[] {
  const head = headLine(call, look);
  const inside = inset(look, 4);
  const body = look.isFolded ? foldedBody(call, inside) : unfoldedBody(call, inside);
  return [head, ...body];
}

function headLine(call: CallView, look: CallLook): Line {
  const { theme, width, now } = look;
  const who =
    call.agent === MAIN_AGENT || call.agent === ''
      ? []
      : [span(`${name(call.agent)} ${theme.symbols.pointer} `, { role: 'dim' })];
  const { server, tool } = namesOf(call);
  const where = server === '' ? [] : [span(`${server} ${theme.symbols.dot} `, { role: 'dim' })];
  const given = look.isFolded && call.state !== 'announced' ? shortArguments(call.arguments) : '';
  const named = [sign(call, look), ...who, ...where, span(tool, { isBold: true })];
  // The tool matters more than its progress, and the progress more than the arguments.
  const used = lineWidth(named) + 2;
  const right = rightEnds(call, theme, now).find((end) => used + lineWidth(end) <= width) ?? [];
  const hasRoom = given !== '' && width - used - lineWidth(right) >= LEAST_ARGUMENTS;
  const left = hasRoom ? [...named, span(`  ${given}`)] : named;
  return spread(left, right, { columns: width, theme });
}

/** The arguments are left out in fewer columns. */
const LEAST_ARGUMENTS = 8;

/** A name chosen by a server: cut, on one line, without hidden characters. */
function name(text: string): string {
  return visible(text).slice(0, 60);
}

/** While the server of a call is unknown, reads it from the model name. For display only. */
function namesOf(call: CallView): { readonly server: string; readonly tool: string } {
  const read = call.server === '' ? /^mcp__(.+?)__(.+)$/.exec(call.tool) : null;
  if (read === null) return { server: name(call.server), tool: toolName(call) };
  return { server: name(read[1] ?? ''), tool: name(read[2] ?? '') };
}

/** The tool without the name of the server, which is shown before it. */
function toolName({ tool, server }: Pick<CallView, 'tool' | 'server'>): string {
  const at = server === '' ? -1 : tool.indexOf(`${server}__`);
  const own = at === -1 ? tool : tool.slice(at + server.length + 2);
  return name(own === '' ? tool : own);
}

function sign({ state }: CallView, { theme, now }: CallLook): Span {
  const { symbols } = theme;
  const turning = symbols.spinner[Math.floor(Math.max(0, now) / 80) % symbols.spinner.length] ?? '';
  switch (state) {
    case 'announced':
      return span(`${turning} `, { role: 'dim' });
    case 'running':
      return span(`${turning} `, { role: 'accent' });
    case 'waiting':
      return span(`${symbols.waiting} `, { role: 'warning' });
    case 'done':
      return span(`${symbols.done} `, { role: 'good' });
    case 'failed':
      return span(`${symbols.failed} `, { role: 'bad' });
    case 'cancelled':
      return span(`${symbols.cancelled} `, { role: 'dim' });
    default:
      return state satisfies never;
  }
}

/** The alternatives for the right end, the longest first: the first that fits is shown. */
function rightEnds(call: CallView, theme: Theme, now: number): readonly Line[] {
  const dim = { role: 'dim' } as const;
  switch (call.state) {
    case 'announced':
      return [];
    case 'waiting':
      return [[span('waits for you', { role: 'warning' })]];
    case 'running': {
      const elapsed = elapsedWords(now - call.startedAt);
      const time = elapsed === '' ? [] : [span(elapsed, dim)];
      const gap = elapsed === '' ? [] : [span('  ')];
      const [bar, share] =
        call.progress === undefined ? [[], []] : progressBar(call.progress, theme);
      const said = share.length === 0 ? time : [...share, ...gap, ...time];
      return [[...bar, ...said], said, time];
    }
    case 'cancelled':
      return [[span('cancelled', dim)]];
    case 'done':
    case 'failed': {
      const time = call.ms === undefined ? '' : timeWords(call.ms);
      const facts = [answerSize(call), time].filter((fact) => fact !== '');
      return [[span(facts.join(` ${theme.symbols.dot} `), dim)], [span(time, dim)]];
    }
    default:
      return call.state satisfies never;
  }
}

function answerSize({ answer, state }: CallView): string {
  if (answer === undefined || state === 'failed') return '';
  const lines = readableParts(answer).reduce(
    (sum, part) => sum + (part.kind === 'text' ? countLines(part.text) : 0),
    0,
  );
  const images = answer.parts.filter((part) => part.kind === 'image').length;
  const words = [lines > 0 ? plural(lines, 'line') : '', images > 0 ? plural(images, 'image') : ''];
  return words.filter((word) => word !== '').join(', ');
}

/** Leaves out the JSON for programs that repeats the text for people. */
function readableParts({ parts }: ToolAnswer): ToolAnswer['parts'] {
  const texts = parts.filter(({ kind }) => kind === 'text');
  const last = texts.at(-1);
  if (texts.length < 2 || last?.kind !== 'text' || !isJson(last.text)) return parts;
  return parts.filter((part) => part !== last);
}

function isJson(text: string): boolean {
  const start = text.trimStart().charAt(0);
  if (start !== '{' && start !== '[') return false;
  return parseJson(text, { maxDepth: 100, maxLength: MOST_ANSWER }).ok;
}

function countLines(text: string): number {
  let count = 1;
  const end = text.trimEnd();
  for (let at = end.indexOf('\n'); at !== -1; at = end.indexOf('\n', at + 1)) count += 1;
  return end === '' ? 0 : count;
}

const BAR = 10;

/** The progress as a bar and in words. */
function progressBar({ done, total }: CallProgress, { symbols }: Theme): readonly [Line, Line] {
  const dim = { role: 'dim' } as const;
  if (!Number.isFinite(done) || done < 0) return [[], []];
  if (total === undefined || !(total > 0)) return [[], [span(String(Math.round(done)), dim)]];
  const share = Math.min(1, done / total);
  const full = Math.round(share * BAR);
  return [
    [
      span(symbols.full.repeat(full), { role: 'accent' }),
      span(`${symbols.empty.repeat(BAR - full)} `, dim),
    ],
    [span(`${String(Math.floor(share * 100)).padStart(3)} %`, dim)],
  ];
}

function foldedBody(call: CallView, canvas: Canvas): readonly Line[] {
  const done = call.state === 'done' ? doneBody(call, canvas) : [];
  if (done.length > 0) return done;
  const words =
    call.state === 'running'
      ? (call.progress?.message ?? '')
      : call.state === 'failed'
        ? firstWords(call)
        : '';
  const shown = cleanLine(words.slice(0, 2000));
  if (shown === '') return [];
  const line = cutSpans(
    [span(shown, call.state === 'failed' ? { role: 'bad' } : { role: 'dim' })],
    canvas.width,
    canvas.theme,
  );
  return indented([line], corner(canvas.theme));
}

const FEW_CHANGE_LINES = 16;
const LAST_LINES = 5;

/** Shown even when folded: the change of a file, or the end of a command's output. */
function doneBody(call: CallView, canvas: Canvas): readonly Line[] {
  const change = changeOf(call);
  if (change !== undefined) {
    const lines = shortened(changeLines(change, canvas), FEW_CHANGE_LINES, canvas);
    return barred(lines, canvas.theme);
  }
  if (!isCommand(call)) return [];
  const lines = lastLines(call, LAST_LINES, canvas);
  return indented(lines, corner(canvas.theme), span('    '));
}

/** The tools whose answer is the output of a command. */
const COMMAND_TOOLS: ReadonlySet<string> = new Set(['run_command', 'read_job', 'stop_job']);

function isCommand(call: CallView): boolean {
  const { server, tool } = namesOf(call);
  return server === WORKSPACE && COMMAND_TOOLS.has(tool);
}

/** The end of a command's output, which is where errors are. */
function lastLines({ answer }: CallView, most: number, canvas: Canvas): readonly Line[] {
  const [part] = answer?.parts ?? [];
  const text = part?.kind === 'text' ? clean(part.text.slice(-MOST_ANSWER)).trimEnd() : '';
  const lines = text.split('\n');
  const shown = lines
    .slice(-most)
    .map((line) => cutSpans([span(line)], canvas.width, canvas.theme));
  const above = lines.length - shown.length;
  const words = `${canvas.theme.symbols.ellipsis} ${plural(above, 'line')} above`;
  return above === 0
    ? shown
    : [cutSpans([span(words, { role: 'dim' })], canvas.width, canvas.theme), ...shown];
}

function firstWords({ answer }: CallView): string {
  return (
    answer?.parts
      .flatMap((part) => (part.kind === 'text' ? [part.text.trim()] : []))[0]
      ?.split('\n')[0] ?? ''
  );
}

function corner({ symbols }: Theme): Span {
  return span(`  ${symbols.corner} `, { role: 'dim' });
}

function unfoldedBody(call: CallView, canvas: CallLook | Canvas): readonly Line[] {
  const change = changeOf(call);
  const above =
    change === undefined
      ? shortened(argumentLines(call.arguments, canvas), MOST_ARGUMENT_LINES, canvas)
      : shortened(changeLines(change, canvas), MOST_CHANGE_LINES, canvas);
  const answer = isCommand(call)
    ? lastLines(call, MOST_OUTPUT_LINES, canvas)
    : answerLines(call, canvas);
  return [...barred(above, canvas.theme), ...indented(answer, corner(canvas.theme), span('    '))];
}

function answerLines(call: CallView, canvas: Canvas): readonly Line[] {
  const { answer } = call;
  if (answer === undefined) return [];
  const lines = readableParts(answer).flatMap((part): readonly Line[] => {
    if (part.kind === 'image')
      return [
        cutSpans(
          [span(imageWords(part, canvas.theme), { role: 'dim' })],
          canvas.width,
          canvas.theme,
        ),
      ];
    const text = clean(part.text.slice(0, MOST_ANSWER)).trimEnd();
    const coloured = /^@@ -\d+/m.test(text)
      ? colourCode(text, 'diff')
      : [[span(text, answer.isError ? { role: 'bad' } : {})]];
    return coloured.flatMap((line) => wrapSpans(line, canvas.width));
  });
  const all = countUnreadLines(call);
  return shortened(lines, MOST_ANSWER_LINES, { ...canvas, all });
}

function imageWords({ mediaType, data }: ImagePart, { symbols }: Theme): string {
  const size = byteWords(Math.floor(data.length * 0.75));
  return `image ${symbols.dot} ${cleanLine(mediaType)} ${symbols.dot} ${size}`;
}

/** Counts the lines beyond `MOST_ANSWER` too. */
function countUnreadLines({ answer }: CallView): number {
  const long =
    answer?.parts.filter((part) => part.kind === 'text' && part.text.length > MOST_ANSWER) ?? [];
  return long.reduce(
    (sum, part) => sum + (part.kind === 'text' ? countLines(part.text.slice(MOST_ANSWER)) : 0),
    0,
  );
}

function shortened(
  lines: readonly Line[],
  most: number,
  canvas: Canvas & { readonly all?: number },
): readonly Line[] {
  const hidden = lines.length - most + (canvas.all ?? 0);
  if (lines.length <= most + 1 && (canvas.all ?? 0) === 0) return lines;
  const words = `${canvas.theme.symbols.ellipsis} ${plural(hidden, 'more line')}`;
  return [
    ...lines.slice(0, most),
    cutSpans([span(words, { role: 'dim' })], canvas.width, canvas.theme),
  ];
}

/** The change of a file by a call of the workspace, read from its arguments. */
function changeOf(call: CallView): Change | undefined {
  const { server, tool } = namesOf(call);
  if (server !== WORKSPACE) return undefined;
  if (call.change !== undefined) return call.change;
  // The content of a replaced file is unknown.
  if (tool === 'write_file' && firstWords(call).startsWith('Replaced')) return undefined;
  const { path, before, after } = changeArguments(tool, call.arguments);
  return typeof path === 'string' && typeof before === 'string' && typeof after === 'string'
    ? { path, before, after, isPiece: before !== '' }
    : undefined;
}

function changeArguments(
  tool: string,
  given: JsonObject,
): Readonly<Record<'path' | 'before' | 'after', Json | undefined>> {
  const path = given['path'];
  if (tool === 'edit_file') return { path, before: given['old_text'], after: given['new_text'] };
  if (tool === 'write_file') return { path, before: '', after: given['content'] ?? given['text'] };
  return { path, before: undefined, after: undefined };
}
