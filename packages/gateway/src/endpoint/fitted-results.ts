// Results as a model reads them best, for endpoints that are configured so: within a budget, as tables if those are shorter,
// with notes of the host. Only the client that received a shortened result can read the rest of it.

import { abortSignalOf, isObject, type JsonObject } from '@plugboard/base';
import type { CallOutcome, Host } from '@plugboard/host';
import { type Answer, answerContent, READ_RESULT } from '@plugboard/host/adapters';
import type { Client, Exchange } from '../client/index.ts';
import { type RpcReply, textOr } from '../message/index.ts';
import { resultFor } from './era-result.ts';
import { answerResult } from './outcome-reply.ts';

/** How many files have a known owner. */
const MOST_FILES = 10_000;

export class FittedResults {
  readonly #results: Host['results'];
  readonly #owners = new Map<string, string>();

  constructor(results: Host['results']) {
    this.#results = results;
  }

  /** The definitions without output schemas, and the tool that reads the rest of a result. */
  list(tools: readonly JsonObject[]): readonly JsonObject[] {
    return [...tools.map(({ outputSchema: _, ...tool }) => tool), READ_RESULT];
  }

  has(name: unknown): boolean {
    return name === READ_RESULT.name;
  }

  resultOf(answer: Answer | CallOutcome, { principal }: Client): JsonObject {
    for (const part of 'parts' in answer ? answer.parts : []) {
      if (!('file' in part) || part.file === undefined) continue;
      this.#owners.set(part.file.id, principal).set(part.file.path, principal);
    }
    for (const [oldest] of this.#owners) {
      if (this.#owners.size <= MOST_FILES) break;
      this.#owners.delete(oldest);
    }
    return answerResult(answerContent(answer, { resultTool: READ_RESULT.name }));
  }

  /** Replaces both forms of content; the other members of the server's result stay. */
  replaceContent(result: JsonObject, outcome: CallOutcome, client: Client): JsonObject {
    const { content: _, structuredContent: _structured, ...rest } = result;
    return { ...rest, ...this.resultOf(outcome, client) };
  }

  /** Answers a call of the tool that reads the rest of a result. */
  async read(params: JsonObject, { client, signal }: Exchange): Promise<RpcReply> {
    const given = isObject(params['arguments']) ? params['arguments'] : {};
    const { id } = given;
    const isOwn = this.#owners.get(textOr(id)) === client.principal;
    const { text, isError } =
      isOwn || typeof id !== 'string'
        ? await this.#results.answer(given, { signal: abortSignalOf(signal) })
        : { text: 'No result of this client has this id, or it is too old.', isError: true };
    const result = answerResult({ isError, content: [{ kind: 'text', text }] });
    return { result: resultFor(client.era, 'tools/call', result) };
  }
}
