// The ports for a server's resources, prompts and completions over one client. Results are checked. A list that the
// server does not offer is empty, without a request.

import { err, ok, type Result } from '@plugboard/base';
import type { ProtocolFailure } from './neutral/failure.ts';
import type {
  ProtocolAnswer,
  Completion,
  CompletionRequest,
  Features,
  Page,
  PromptPort,
  RequestOptions,
  ResourcePort,
} from './neutral/primitives.ts';
import {
  readCompletion,
  readFilledPrompt,
  readPromptPage,
  readResourcePage,
  readResourceReading,
  readTemplatePage,
} from './read-primitives.ts';

/** How the ports send requests to their server. */
export interface Wire {
  request(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<Result<unknown, ProtocolFailure>>;
  features(): Features;
  /** How many results so far asked for input. */
  questions(): number;
}

const METHOD_NOT_FOUND = -32_601;

type Reader<T> = (raw: unknown) => Result<T, string>;

export function resourcePort(wire: Wire, watch: ResourcePort['watch']): ResourcePort {
  const isOffered = (): boolean => wire.features().resources;
  return {
    list: (cursor, options) =>
      page(wire, { method: 'resources/list', read: readResourcePage, isOffered, cursor }, options),
    templates: (cursor, options) =>
      page(
        wire,
        { method: 'resources/templates/list', read: readTemplatePage, isOffered, cursor },
        options,
      ),
    async read(uri, options) {
      const before = wire.questions();
      const response = await wire.request('resources/read', { uri }, options);
      const read = checkedBy(readResourceReading, response);
      // A result that depends on a user's answers must not be cached or shared.
      if (!read.ok || wire.questions() === before) return read;
      return ok({ ...read.value, freshness: undefined });
    },
    watch,
  };
}

export function promptPort(wire: Wire): PromptPort {
  const isOffered = (): boolean => wire.features().prompts;
  return {
    list: (cursor, options) =>
      page(wire, { method: 'prompts/list', read: readPromptPage, isOffered, cursor }, options),
    async get({ name, arguments: given }, options) {
      const response = await wire.request('prompts/get', { name, arguments: given }, options);
      return checkedBy(readFilledPrompt, response);
    },
  };
}

export async function completeOver(
  wire: Wire,
  { of, argument, typed, others }: CompletionRequest,
  options: RequestOptions,
): ProtocolAnswer<Completion> {
  const ref =
    of.kind === 'prompt'
      ? { type: 'ref/prompt', name: of.name }
      : { type: 'ref/resource', uri: of.uriTemplate };
  const params = {
    ref,
    argument: { name: argument, value: typed },
    ...(Object.keys(others).length === 0 ? {} : { context: { arguments: others } }),
  };
  return checkedBy(readCompletion, await wire.request('completion/complete', params, options));
}

interface PageRequest<Item> {
  readonly method: string;
  readonly read: Reader<Page<Item>>;
  readonly isOffered: () => boolean;
  readonly cursor: string | undefined;
}

export async function page<Item>(
  wire: Wire,
  { method, read, isOffered, cursor }: PageRequest<Item>,
  options: RequestOptions,
): ProtocolAnswer<Page<Item>> {
  if (!isOffered()) return ok(emptyPage());
  const params = cursor === undefined ? {} : { cursor };
  const response = await wire.request(method, params, options);
  return isMethodNotFound(response) ? ok(emptyPage()) : checkedBy(read, response);
}

export function emptyPage(): Page<never> {
  return { items: [], nextCursor: undefined, rejected: [], freshness: undefined };
}

/** Many servers with resources do not implement templates, although one capability covers both. */
function isMethodNotFound(response: Result<unknown, ProtocolFailure>): boolean {
  if (response.ok) return false;
  const refusal = response.error.kind === 'http' ? response.error.refusal : response.error;
  return refusal !== undefined && 'code' in refusal && refusal.code === METHOD_NOT_FOUND;
}

/** The checked result, or the failure that it is invalid. */
export function checkedBy<T>(
  read: Reader<T>,
  response: Result<unknown, ProtocolFailure>,
): Result<T, ProtocolFailure> {
  if (!response.ok) return response;
  const checked = read(response.value);
  return checked.ok ? checked : err({ kind: 'invalid-result', detail: checked.error });
}
