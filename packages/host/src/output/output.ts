// Converts a server's answer to parts for a model: every kind of content, nothing twice, checked against the tool's
// schema, within the budget, and the rest in files. It never fails a call: a note states what could not be done.

import { isObject, type Json, type JsonObject, never, Semaphore } from '@plugboard/base';
import type { ToolDefinition, ToolResult } from '../protocol/index.ts';
import {
  DEFAULT_IMAGE_LIMITS,
  DEFAULT_RAISE_CAP,
  DEFAULT_RESULT_LIMITS,
  type EntryOutput,
  type ImageLimits,
  limitsFor,
  type ResultLimits,
} from './budget.ts';
import { type CountTokens, cutToFit, fits } from './fit-texts.ts';
import { fitMedia, isMedia } from './fit-media.ts';
import { type TextKind, textKindOf } from './for-model.ts';
import { loadDecoder } from './resize-image.ts';
import type { Part, StructuredProblem } from './part.ts';
import {
  DEFAULT_QUOTA,
  type FileQuota,
  ResultFiles,
  saveProblemWords,
  textInPieces,
} from './result-files.ts';
import { Results, type ResultsPorts } from './read-result.ts';
import { shortenValue } from './shorten-value.ts';
import { toParts } from './to-parts.ts';
import { problemText, partText } from './to-text.ts';
import { withAttackWarning } from './attack-warning.ts';

export interface OutputOptions extends Partial<ResultLimits> {
  /** How far a tool may raise its own limit, in characters: 500,000 by default. */
  readonly maxRaisedCharacters?: number;
  /** The tokenizer of the program's model. Without it tokens are estimated, rather too high. */
  readonly countTokens?: CountTokens;
  readonly images?: Partial<ImageLimits>;
  /** The quota for the files of this host. */
  readonly files?: Partial<FileQuota>;
}

export interface OutputPorts extends Pick<
  ResultsPorts,
  'clock' | 'problemsOf' | 'isTamePattern' | 'signsIn'
> {
  /** The folder of the user's cache. */
  readonly cache: string;
}

export interface FittedResult {
  /** Without duplicates. */
  readonly parts: readonly Part[];
  /** The structured content that the server sent, even if the parts have it as text. */
  readonly structured?: Json;
  /** `_meta` of the result. */
  readonly meta?: JsonObject;
}

type FittedTool = Pick<ToolDefinition, 'name' | 'outputSchema' | '_meta'>;

/** The options for fitting the texts of a result. */
interface TextRoom {
  readonly limits: ResultLimits;
  readonly countTokens: CountTokens | undefined;
  readonly texts: TextKind;
}

/** No tool has an empty name. */
const NO_TOOL: FittedTool = { name: '' };

/** Further parts go to a file only: no model reads so many, and each takes time. */
const MAX_PARTS = 1000;
const MAX_MEDIA = 50;
/** Room for the note that names the file. */
const NOTE_CHARACTERS = 500;
const NOTE_TOKENS = 250;

export class Output {
  readonly results: Results;
  readonly #options: OutputOptions | 'as-is';
  readonly #ports: OutputPorts;
  readonly #files: ResultFiles;
  readonly #images: ImageLimits;
  readonly #program: ResultLimits;
  readonly #raiseCap: number;
  /** Decodes one image at a time, since decoded images are large. */
  readonly #decoding = new Semaphore(1);

  /** `as-is`: for programs that need what the server sent, whatever its size. */
  constructor(options: OutputOptions | 'as-is', ports: OutputPorts) {
    this.#options = options;
    this.#ports = ports;
    const given: OutputOptions = options === 'as-is' ? {} : options;
    const { images = {}, files = {}, maxRaisedCharacters: raiseCap = DEFAULT_RAISE_CAP } = given;
    const { maxCharacters, maxTokens } = { ...DEFAULT_RESULT_LIMITS, ...given };
    this.#program = { maxCharacters, maxTokens };
    this.#raiseCap = raiseCap;
    this.#images = { ...DEFAULT_IMAGE_LIMITS, ...images };
    const quota = { ...DEFAULT_QUOTA, ...files };
    this.#files = new ResultFiles({ cache: ports.cache, clock: ports.clock, quota });
    const limits = this.#limitsFor(NO_TOOL, undefined);
    this.results = new Results(this.#files, { ...ports, limits, countTokens: given.countTokens });
  }

  /** The parts for a model or a user, and the data for programs only. */
  fit(
    result: ToolResult,
    tool: FittedTool,
    entry: EntryOutput | undefined,
  ): FittedResult | Promise<FittedResult> {
    const parts = this.#fitParts(result, tool, entry);
    const { structuredContent, _meta } = result;
    const forPrograms = {
      ...(structuredContent === undefined
        ? {}
        : { structured: this.#limitSize(structuredContent) }),
      ...(_meta === undefined ? {} : { meta: asObject(this.#limitSize(_meta)) }),
    };
    return parts instanceof Promise
      ? parts.then((fitted) => ({ parts: fitted, ...forPrograms }))
      : { parts, ...forPrograms };
  }

  /** The complete result for a program, without notes of the host. */
  whole(result: ToolResult): FittedResult {
    const { structuredContent: structured, _meta: meta } = result;
    return {
      parts: toParts(result),
      ...(structured === undefined ? {} : { structured }),
      ...(meta === undefined ? {} : { meta }),
    };
  }

  /** Data for programs fills no context window, so it may be as large as the largest result that a tool may request. */
  #limitSize(value: Json): Json {
    if (this.#options === 'as-is') return value;
    return shortenValue(value, Math.max(this.#raiseCap, this.#program.maxCharacters));
  }

  /** Synchronous for small results with text only, as most are: they pass unchanged. */
  #fitParts(
    result: ToolResult,
    tool: FittedTool,
    entry: EntryOutput | undefined,
  ): readonly Part[] | Promise<readonly Part[]> {
    const checked = this.#checkStructure(resultParts(result), result, tool);
    const room = this.#roomFor(result, tool, entry);
    if (checked instanceof Promise) return this.#fitSlowly(checked, room);
    const parts = this.#addWarning(checked);
    if (room === undefined) return parts;
    if (parts.length > MAX_PARTS || parts.some(isMedia)) return this.#fitSlowly(parts, room);
    return this.#fitTexts(parts, room);
  }

  #addWarning(parts: readonly Part[]): readonly Part[] {
    const { signsIn } = this.#ports;
    return signsIn === undefined ? parts : withAttackWarning(parts, signsIn);
  }

  async #fitSlowly(
    checking: readonly Part[] | Promise<readonly Part[]>,
    room: TextRoom | undefined,
  ): Promise<readonly Part[]> {
    const parts = checking instanceof Promise ? this.#addWarning(await checking) : checking;
    if (room === undefined) return parts;
    const few = await this.#withoutSurplus(parts);
    const shown = few.some(isMedia) ? await this.#withMedia(few) : few;
    return this.#fitTexts(shown, room);
  }

  #fitTexts(parts: readonly Part[], room: TextRoom): readonly Part[] | Promise<readonly Part[]> {
    return fits(parts, room.limits, room.countTokens) ? parts : this.#cut(parts, room);
  }

  /** `undefined` if results are delivered as they are. */
  #roomFor(
    { structuredContent }: ToolResult,
    tool: FittedTool,
    entry: EntryOutput | undefined,
  ): TextRoom | undefined {
    if (this.#options === 'as-is') return undefined;
    const { countTokens } = this.#options;
    // Content without a tool is that of a resource or a prompt, which is shown verbatim.
    const texts = tool === NO_TOOL ? 'verbatim' : textKindOf(tool.name, structuredContent);
    return { limits: this.#limitsFor(tool, entry), countTokens, texts };
  }

  /** The same for the content of a resource or a prompt. */
  async fitContent(
    content: ToolResult['content'],
    entry: EntryOutput | undefined,
  ): Promise<readonly Part[]> {
    return this.#fitParts({ content, isError: false }, NO_TOOL, entry);
  }

  #limitsFor(tool: FittedTool, entry: EntryOutput | undefined): ResultLimits {
    return limitsFor({ program: this.#program, raiseCap: this.#raiseCap, entry, tool });
  }

  #checkStructure(
    parts: readonly Part[],
    { isError, structuredContent }: ToolResult,
    { outputSchema }: FittedTool,
  ): readonly Part[] | Promise<readonly Part[]> {
    if (outputSchema === undefined || isError) return parts;
    if (structuredContent === undefined) return [...parts, NOTHING_STRUCTURED];
    const problems = this.#ports.problemsOf(outputSchema, structuredContent);
    return problems instanceof Promise
      ? problems.then((found) => withProblems(parts, found))
      : withProblems(parts, problems);
  }

  async #withoutSurplus(parts: readonly Part[]): Promise<readonly Part[]> {
    let media = 0;
    const isShown = parts.map((part, index) => {
      if (isMedia(part)) media += 1;
      // Structured content is the last part, and programs look for it.
      const isLast = index === parts.length - 1 && part.kind === 'structured';
      return isLast || (index < MAX_PARTS && !(isMedia(part) && media > MAX_MEDIA));
    });
    const surplus = parts.filter((_, index) => isShown[index] !== true);
    if (surplus.length === 0) return parts;
    const what = `${surplus.length} of ${parts.length} parts of this result are left out`;
    const note = await this.#saveRest(asLines(surplus), 'application/jsonl', what);
    return [...parts.filter((_, index) => isShown[index] === true), note];
  }

  async #withMedia(parts: readonly Part[]): Promise<readonly Part[]> {
    const fitted: Part[] = [];
    for (const part of parts) {
      if (!isMedia(part)) {
        fitted.push(part);
        continue;
      }
      const ports = { files: this.#files, limits: this.#images, loadDecoder };
      fitted.push(...(await this.#decoding.run(never, () => fitMedia(part, ports))));
    }
    return fitted;
  }

  async #cut(parts: readonly Part[], { limits, ...room }: TextRoom): Promise<readonly Part[]> {
    const [only] = parts;
    const isStructured = parts.length === 1 && only?.kind === 'structured';
    const mimeType = isStructured ? 'application/json' : 'text/plain';
    const texts = isStructured ? [JSON.stringify(only.value, undefined, 2)] : parts.map(partText);
    const characters = texts.reduce((sum, text) => sum + text.length + 1, -1);
    const what = `This result has ${characters} characters, more than are shown at once, and was cut`;
    const note = await this.#saveRest(asText(texts), mimeType, what);
    const left = {
      maxCharacters: limits.maxCharacters - Math.max(NOTE_CHARACTERS, partText(note).length + 1),
      maxTokens: limits.maxTokens - NOTE_TOKENS,
    };
    return [...cutToFit(parts, { ...room, limits: left }), note];
  }

  async #saveRest(
    pieces: Iterable<string>,
    mimeType: string,
    what: string,
  ): Promise<Part & { readonly kind: 'note' }> {
    const saved = await this.#files.save(pieces, mimeType);
    if (!saved.ok) {
      const why = saveProblemWords(saved.error);
      return { kind: 'note', text: `${what}. The rest could not be saved: ${why}.` };
    }
    const { path, bytes, id } = saved.value;
    const text = `${what}. All of it is in the file ${path} (${bytes} bytes, id ${id}).`;
    return { kind: 'note', text, file: saved.value };
  }
}

function withProblems(
  parts: readonly Part[],
  problems: readonly StructuredProblem[],
): readonly Part[] {
  if (problems.length === 0) return parts;
  if (!parts.some(({ kind }) => kind === 'structured')) {
    // The parts have the text that the structured content wraps.
    return [...parts, { kind: 'note', text: problemText(problems) }];
  }
  return parts.map((part) => (part.kind === 'structured' ? { ...part, problems } : part));
}

/** A value that cannot be shortened to an object is replaced by a text about its size. */
function asObject(value: Json): JsonObject {
  return isObject(value) ? value : { '…': value };
}

function resultParts(result: ToolResult): readonly Part[] {
  const parts = toParts(result);
  if (result.lacksContent !== true) return parts;
  return [...parts, result.structuredContent === undefined ? NO_CONTENT : JSON_FOR_CONTENT];
}

const NO_CONTENT: Part = {
  kind: 'note',
  text: 'The server sent a result without "content", which the MCP specification requires, and nothing else in its place.',
};

const JSON_FOR_CONTENT: Part = {
  kind: 'note',
  text: 'The server sent a result without "content", which the MCP specification requires; this is what it sent, as JSON.',
};

const NOTHING_STRUCTURED: Part = {
  kind: 'note',
  text: "The tool's output schema promises structured content, and there is none.",
};

function* asText(texts: readonly string[]): Generator<string> {
  let isFirst = true;
  for (const text of texts) {
    if (!isFirst) yield '\n';
    isFirst = false;
    yield* textInPieces(text);
  }
}

/** Writes several parts per piece: a million small ones would cause a million writes. */
function* asLines(parts: readonly Part[]): Generator<string> {
  let piece = '';
  for (const part of parts) {
    piece += `${JSON.stringify(part)}\n`;
    if (piece.length < 64 * 1024) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
