// The tool `read_result`: returns a page of a cut result, or its matches, to a model, within the budget of every
// result, and with instructions for continuing. The caller decides whether a model gets the tool.

import { type Json, type JsonObject, never } from '@plugboard/base';
import type { ResultLimits } from './budget.ts';
import { estimateTokens } from './estimate-tokens.ts';
import type { CountTokens } from './fit-texts.ts';
import { cutPage, type From, type Place, type TextPage } from './read-page.ts';
import type { StructuredProblem } from './part.ts';
import type { ResultFiles } from './result-files.ts';
import { type NotReadable, type ReadingPorts, StoredResults } from './results.ts';
import type { LineMatch } from './search-lines.ts';
import { shortenText } from './shorten-text.ts';
import { toText } from './to-text.ts';
import { type SignsIn, withAttackWarning } from './attack-warning.ts';

export const READ_RESULT = {
  name: 'read_result',
  title: 'Read a result',
  description:
    'Reads on in a result that was cut, or searches in it. Without query: the next page from start_line or ' +
    'start_character on, with numbered lines. With query: the lines that hold it. Only results of this conversation, ' +
    'and no other files.',
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'From the note on the result; its file path works too' },
      start_line: { type: 'integer', minimum: 1 },
      end_line: { type: 'integer', minimum: 1 },
      start_character: { type: 'integer', minimum: 0, description: 'In place of start_line' },
      query: { type: 'string', minLength: 1, maxLength: 1000, description: 'Text to find' },
      regex: { type: 'boolean', description: 'Whether query is a regular expression' },
      context_lines: { type: 'integer', minimum: 0, maximum: 20, description: '2 unless given' },
      max_results: { type: 'integer', minimum: 1, maximum: 500, description: '50 unless given' },
    },
    required: ['id'],
    additionalProperties: false,
  },
} as const satisfies {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
};

/** The arguments of the schema. */
interface ReadResultArguments {
  readonly id: string;
  readonly start_line?: number;
  readonly end_line?: number;
  readonly start_character?: number;
  readonly query?: string;
  readonly regex?: boolean;
  readonly context_lines?: number;
  readonly max_results?: number;
}

export interface ResultAnswer {
  readonly isError: boolean;
  readonly text: string;
}

interface AnswerPorts {
  readonly limits: ResultLimits;
  readonly countTokens?: CountTokens | undefined;
  /** Finds signs of an attack in a text. Without it texts are not scanned. */
  readonly signsIn?: SignsIn | undefined;
}

export interface ResultsPorts extends AnswerPorts, ReadingPorts {
  /** How a value violates a schema. Empty if that cannot be checked. */
  readonly problemsOf: (
    schema: JsonObject,
    value: Json,
  ) => readonly StructuredProblem[] | Promise<readonly StructuredProblem[]>;
}

interface AnswerContext extends AnswerPorts {
  readonly signal: AbortSignal;
}

/** The length that the scanner checks completely. */
const PAGE_CHARACTERS = 32_000;
/** Room for the header, the instructions for continuing, and a warning. */
const FRAME_CHARACTERS = 900;
const FRAME_TOKENS = 400;
const LEAST_ROOM = 300;
const MOST_LISTED = 10;
const MOST_SHOWN = 200;

/** The stored results, for a program and for its model. */
export class Results extends StoredResults {
  readonly #ports: ResultsPorts;

  constructor(files: ResultFiles, ports: ResultsPorts) {
    super(files, ports);
    this.#ports = ports;
  }

  /** Answers a call of the tool `READ_RESULT`. It needs no approval, since it reads nothing but stored results. */
  async answer(
    given: JsonObject,
    { signal = never }: { readonly signal?: AbortSignal } = {},
  ): Promise<ResultAnswer> {
    // Models write null for arguments that they mean to omit.
    const meant = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    const problems = await this.#ports.problemsOf(READ_RESULT.inputSchema, meant);
    if (problems.length > 0) return wrongArguments(problems);
    // They were just checked against the schema.
    return readResult(this, meant as unknown as ReadResultArguments, { ...this.#ports, signal });
  }
}

export async function readResult(
  results: StoredResults,
  given: ReadResultArguments,
  ports: AnswerContext,
): Promise<ResultAnswer> {
  const { start_line: line, start_character: character, end_line: last } = given;
  if (line !== undefined && character !== undefined) {
    return failed('Give start_line or start_character, not both.');
  }
  if (last !== undefined && character !== undefined) {
    return failed('end_line goes with start_line, not with start_character.');
  }
  if (last !== undefined && last < (line ?? 1)) {
    return failed(`end_line (${last}) comes before start_line (${line ?? 1}).`);
  }
  const from: From = line === undefined ? { character: character ?? 0 } : { line };
  return given.query === undefined
    ? pageAnswer(results, { ...given, from }, ports)
    : matchesAnswer(results, { ...given, from }, ports);
}

function wrongArguments(problems: readonly StructuredProblem[]): ResultAnswer {
  const lines = problems.map(({ path, message }) => `- ${path} ${message}`);
  const names = Object.keys(READ_RESULT.inputSchema.properties).join(', ');
  const head = `${READ_RESULT.name} does not take these arguments:`;
  return failed([head, ...lines, `The arguments are: ${names}`].join('\n'));
}

interface ReadRequest extends ReadResultArguments {
  readonly from: From;
}

async function pageAnswer(
  results: StoredResults,
  { id, start_line: line = 1, end_line: last, from }: ReadRequest,
  ports: AnswerContext,
): Promise<ResultAnswer> {
  const { limits, signal } = ports;
  const characters = Math.min(PAGE_CHARACTERS, limits.maxCharacters);
  const wish = { from, characters, signal };
  const read = await results.read(
    id,
    last === undefined ? wish : { ...wish, lines: last - line + 1 },
  );
  if (read.kind !== 'text') return notReadable(read, id, results);
  if (read.text === '' && read.next === undefined) {
    const { line: end, character } = read.start;
    return answerWithWarning(
      `[Result ${id} ends at line ${end}, character ${character}.]`,
      '',
      ports,
    );
  }
  const page = fitted(read, ports);
  return answerWithWarning(pageText(id, page, results), page.text, ports);
}

/** Cuts a page so that it fits with its line numbers. */
function fitted(page: TextPage, { limits, countTokens = estimateTokens }: AnswerPorts): TextPage {
  const { characters, tokens } = roomIn(limits);
  let fit = page;
  for (let { length } = page.text; length > 1;) {
    const text = numbered(fit);
    const over = Math.max(text.length / characters, countTokens(text) / tokens);
    if (over <= 1) return fit;
    length = Math.max(1, Math.floor(length * Math.min(0.9, 0.97 / over)));
    fit = cutPage(page.text, page.start, { lines: undefined, characters: length });
  }
  return fit;
}

function roomIn({ maxCharacters, maxTokens }: ResultLimits) {
  return {
    characters: Math.max(LEAST_ROOM, maxCharacters - FRAME_CHARACTERS),
    tokens: Math.max(LEAST_ROOM, maxTokens - FRAME_TOKENS),
  };
}

function pageText(id: string, page: TextPage, results: StoredResults): string {
  const { text, start, next } = page;
  const { mimeType, bytes } = results.get(id) ?? { mimeType: 'text/plain', bytes: 0 };
  const last = start.line + text.split('\n').length - 1;
  const end = start.character + text.length;
  const head = `[Result ${id} (${mimeType}, ${bytes} bytes): lines ${start.line}-${last}, characters ${start.character}-${end}.]`;
  const way =
    next === undefined
      ? '[This is the end of the result.]'
      : `[Read on: ${JSON.stringify({ id, ...startAt(next, { isInLine: next.line === last }) })}]`;
  return [head, numbered(page), way].join('\n');
}

function numbered({ text, start }: TextPage): string {
  return text
    .split('\n')
    .map((line, index) => `${start.line + index}: ${line}`)
    .join('\n');
}

function startAt({ line, character }: Place, { isInLine }: { readonly isInLine: boolean }) {
  return isInLine ? { start_character: character } : { start_line: line };
}

async function matchesAnswer(
  results: StoredResults,
  { from, ...given }: ReadRequest,
  ports: AnswerContext,
): Promise<ResultAnswer> {
  const { id, query = '', regex = false, context_lines: context, max_results: most } = given;
  const found = await results.search(id, {
    ...{ pattern: query, as: regex ? 'regex' : 'text', case: 'smart', from },
    ...(context === undefined ? {} : { context }),
    ...(most === undefined ? {} : { most }),
    signal: ports.signal,
  });
  const words = JSON.stringify(shortenText(query, MOST_SHOWN));
  if (found.kind === 'bad-pattern') {
    return failed(
      `${words} is no regular expression, or one that could take too long. Use a simpler one, or leave regex out.`,
    );
  }
  if (found.kind !== 'matches') return notReadable(found, id, results);
  const count = matchesThatFit(found.matches, ports);
  const matches = found.matches.slice(0, count);
  const next = found.matches[count]?.character ?? found.next?.character;
  const head = `[${count} ${count === 1 ? 'match' : 'matches'} of ${words} in result ${id}${next === undefined ? '' : ' so far'}.]`;
  const further = { ...given, start_line: undefined, start_character: next };
  const way = next === undefined ? [] : [`[Search on: ${JSON.stringify(further)}]`];
  const text = [head, ...matches.map(matchText), ...way].join('\n');
  return answerWithWarning(text, matches.flatMap(matchLines).join('\n'), ports);
}

/** The number of matches that fit, but at least one. */
function matchesThatFit(
  matches: readonly LineMatch[],
  { limits, countTokens = estimateTokens }: AnswerPorts,
): number {
  const room = roomIn(limits);
  let characters = Math.min(PAGE_CHARACTERS, room.characters);
  let { tokens } = room;
  const over = matches.findIndex((match) => {
    const text = matchText(match);
    characters -= text.length + 1;
    tokens -= countTokens(text);
    return characters < 0 || tokens < 0;
  });
  return over === -1 ? matches.length : Math.max(1, over);
}

function matchText({ line, character, text, before, after }: LineMatch): string {
  return [
    ...before.map((near, index) => `${line - before.length + index}- ${near}`),
    `${line}: ${text} (at character ${character})`,
    ...after.map((near, index) => `${line + 1 + index}- ${near}`),
    '--',
  ].join('\n');
}

function matchLines({ text, before, after }: LineMatch): readonly string[] {
  return [...before, text, ...after];
}

function notReadable(problem: NotReadable, id: string, results: StoredResults): ResultAnswer {
  switch (problem.kind) {
    case 'unknown': {
      const asked = JSON.stringify(shortenText(id, MOST_SHOWN));
      return failed(
        `${asked} is no result of this conversation, and no other file is read. ${knownResultsText(results)}`,
      );
    }
    case 'binary': {
      const { mimeType, bytes, path } = problem.file;
      return failed(
        `Result ${id} is binary (${mimeType}, ${bytes} bytes) and cannot be shown as text. For the user it is in the file ${path}`,
      );
    }
    case 'gone':
      return failed(
        `Result ${id} is not there any more; results are removed after a day. Call the tool again that gave it.`,
      );
    default:
      return problem satisfies never;
  }
}

function knownResultsText(results: StoredResults): string {
  const known = results.all
    .slice(-MOST_LISTED)
    .map(({ id, mimeType, bytes }) => `${id} (${mimeType}, ${bytes} bytes)`);
  return known.length === 0
    ? 'No result was cut in this conversation.'
    : `These can be read: ${known.join(', ')}.`;
}

/** `own` is the server's part of the text, which may not have been scanned before. */
function answerWithWarning(
  text: string,
  own: string,
  { signsIn, limits }: AnswerPorts,
): ResultAnswer {
  const part = { kind: 'text', text: own } as const;
  const [note] = signsIn === undefined ? [] : withAttackWarning([part], signsIn);
  const warning = note?.kind === 'note' ? `${toText([note])}\n` : '';
  return { isError: false, text: shortenText(`${warning}${text}`, limits.maxCharacters) };
}

function failed(text: string): ResultAnswer {
  return { isError: true, text };
}
