// The prompts of all servers: lists them, fills them in, and completes their arguments.

import { modelText } from '../catalog/index.ts';
import { closestName } from '../config/index.ts';
import type { Part } from '../output/index.ts';
import type { Prompt, PromptArgument } from '../protocol/index.ts';
import { complete, type CompleteOutcome } from './completion.ts';
import { type Located, locatedByName } from './located.ts';
import { type ListOf, type ListOptions, type ListProblems, listServers } from './list-servers.ts';
import { fitContent, type ReadingOptions, type ReadingParts } from './reading.ts';
import type { Unanswered } from './unanswered.ts';

export interface HostPrompt {
  readonly server: string;
  /** The server's own name for it. */
  readonly prompt: string;
  readonly title: string | undefined;
  readonly description: string;
  /** The complete description, if `description` is cut for the model. */
  readonly fullDescription?: string;
  readonly arguments: readonly PromptArgument[];
}

export interface PromptReference {
  readonly server: string;
  readonly prompt: string;
}

export interface PromptsReport extends ListProblems {
  readonly prompts: readonly HostPrompt[];
}

export interface HostPromptMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly Part[];
}

export type PromptOutcome =
  | (PromptReference & {
      readonly kind: 'result';
      readonly description: string | undefined;
      readonly messages: readonly HostPromptMessage[];
    })
  | (PromptReference & {
      readonly kind: 'unknown-prompt';
      /** The nearest existing name. */
      readonly nearest: string | undefined;
    })
  | (PromptReference & {
      readonly kind: 'invalid-arguments';
      /** Required arguments that were not given. */
      readonly missing: readonly string[];
      /** Given arguments that the prompt does not have. */
      readonly strange: readonly string[];
      readonly takes: readonly PromptArgument[];
    })
  | Unanswered;

export interface PromptCompletion extends PromptReference {
  readonly argument: string;
  readonly typed: string;
  /** Arguments that already have a value. */
  readonly others?: Readonly<Record<string, string>>;
}

const INVALID_PARAMS = -32_602;

export const PROMPTS: ListOf<Prompt> = {
  feature: 'prompts',
  key: 'prompts/list',
  announcedAs: 'prompts',
  nameOf: ({ name }) => name,
  page: (session, cursor, options) => session.prompts.list(cursor, options),
};

export class Prompts {
  readonly #parts: ReadingParts;

  constructor(parts: ReadingParts) {
    this.#parts = parts;
  }

  /** All prompts that servers list. Connects to the servers. */
  async list(options: ListOptions = {}): Promise<PromptsReport> {
    const { items, ...problems } = await listServers(this.#parts.queries, PROMPTS, options);
    return { prompts: items.map(({ server, item }) => toHostPrompt(server, item)), ...problems };
  }

  /** The server that has a prompt with this name. */
  async locate(name: string, options: ListOptions = {}): Promise<Located> {
    const { items, problems } = await listServers(this.#parts.queries, PROMPTS, options);
    const listed = items.map(({ server, item }) => ({ server, name: item.name }));
    return locatedByName(name, listed, problems);
  }

  /** Has the server fill in a prompt. Every failure is an outcome. */
  async get(
    { server, prompt }: PromptReference,
    given: Readonly<Record<string, string>> = {},
    options: ReadingOptions = {},
  ): Promise<PromptOutcome> {
    const filled = await this.#parts.queries.run(
      {
        server,
        feature: 'prompts',
        pace: 'call',
        send: (session, request) =>
          session.prompts.get({ name: prompt, arguments: given }, request),
      },
      options,
    );
    if (!filled.ok) return this.#explainRefusal({ server, prompt }, given, filled.error);
    const { description, messages } = filled.value;
    return {
      kind: 'result',
      server,
      prompt,
      description,
      messages: await Promise.all(
        messages.map(async ({ role, content }) => ({
          role,
          parts: await fitContent(this.#parts, server, [content]),
        })),
      ),
    };
  }

  /** Possible values of an argument. */
  complete(
    { server, prompt, argument, typed, others = {} }: PromptCompletion,
    options: ReadingOptions = {},
  ): Promise<CompleteOutcome> {
    const request = { of: { kind: 'prompt', name: prompt }, argument, typed, others } as const;
    return complete(this.#parts.queries, { server, request }, options);
  }

  /** The message of a server that refuses arguments rarely helps; its list of arguments does. */
  async #explainRefusal(
    reference: PromptReference,
    given: Readonly<Record<string, string>>,
    unanswered: Unanswered,
  ): Promise<PromptOutcome> {
    if (unanswered.kind !== 'protocol-error' || unanswered.failure.kind !== 'rpc') {
      return unanswered;
    }
    if (unanswered.failure.code !== INVALID_PARAMS) return unanswered;
    const { server, prompt } = reference;
    const { items, problems } = await listServers(this.#parts.queries, PROMPTS, {
      servers: [server],
    });
    if (problems.length > 0) return unanswered;
    const known = items.find(({ item }) => item.name === prompt)?.item;
    if (known === undefined) {
      const names = items.map(({ item }) => item.name);
      return { kind: 'unknown-prompt', ...reference, nearest: closestName(prompt, names) };
    }
    const takes = known.arguments;
    const missing = takes
      .filter(({ name, required }) => required && !Object.hasOwn(given, name))
      .map(({ name }) => name);
    const names = new Set(takes.map(({ name }) => name));
    const strange = Object.keys(given).filter((name) => !names.has(name));
    if (missing.length + strange.length === 0) return unanswered;
    return { kind: 'invalid-arguments', ...reference, missing, strange, takes };
  }
}

function toHostPrompt(
  server: string,
  { name: prompt, title, description = '', arguments: takes }: Prompt,
): HostPrompt {
  const { text, whole } = modelText(description, 'fullDescription');
  return { server, prompt, title, description: text, ...whole, arguments: takes };
}
