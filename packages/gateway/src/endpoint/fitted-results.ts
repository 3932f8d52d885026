// Results as a model reads them best, for endpoints that want them so: within a budget, as tables where that is shorter,
// with notes of the host. What was cut can be read on by the client that it was cut for, and by no other.

import { abortSignalOf, isObject, type JsonObject } from '@plugboard/base';
import type { CallOutcome, Host } from '@plugboard/host';
import { type Answer, answerContent, READ_RESULT } from '@plugboard/host/adapters';
import type { Client, Exchange } from '../client/index.ts';
import { type RpcReply, textOr } from '../message/index.ts';
import { resultFor } from './era-result.ts';
import { answerResult } from './outcome-reply.ts';

/** Of how many files it is remembered whose they are. */
const MOST_FILES = 10_000;

export class FittedResults {
  readonly #results: Host['results'];
  readonly #owners = new Map<string, string>();

  constructor(results: Host['results']) {
    this.#results = results;
  }

  /** The definitions of tools as they are with such results, and the tool that reads on. */
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

  /** Members of the server's own stay, but for its content in either form. */
  inPlaceOf(result: JsonObject, outcome: CallOutcome, client: Client): JsonObject {
    const { content: _, structuredContent: _structured, ...rest } = result;
    return { ...rest, ...this.resultOf(outcome, client) };
  }

  /** Answers a call of the tool that reads on. */
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
