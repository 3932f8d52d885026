// The resources of all servers: listed, read and watched, each through the server that has it and no
// other. An address that a server names anywhere is never fetched by the host itself.

import { never, shared } from '@plugboard/base';
import { fitsTemplate, modelText } from '../catalog/index.ts';
import type { Part } from '../output/index.ts';
import type { Resource, ResourceTemplate, Session } from '../protocol/index.ts';
import { complete, type CompleteOutcome } from './completion.ts';
import { type FoundNames, type Located, locatedIn } from './located.ts';
import { type ListOf, type ListOptions, type ListProblems, listServers } from './list-servers.ts';
import { deniedReading, type DeniedReading, fitContent, type ReadingParts } from './reading.ts';
import type { ResourceReference, Subscription, Subscriptions } from './subscriptions.ts';
import type { Unanswered } from './unanswered.ts';

export interface HostResource {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  /** Where the description was cut for the model. */
  readonly fullDescription?: string;
  readonly mimeType: string | undefined;
  /** In bytes, as the server says. */
  readonly size: number | undefined;
}

export interface HostTemplate extends Omit<HostResource, 'uri' | 'size'> {
  readonly uriTemplate: string;
}

export interface ResourcesReport extends ListProblems {
  readonly resources: readonly HostResource[];
}

export interface TemplatesReport extends ListProblems {
  readonly templates: readonly HostTemplate[];
}

export type NoReading =
  | Unanswered
  /** The server knows no such resource; `message` is what it says. */
  | (ResourceReference & { readonly kind: 'not-found'; readonly message: string })
  | DeniedReading;

export type ReadOutcome =
  | (ResourceReference & { readonly kind: 'result'; readonly parts: readonly Part[] })
  | NoReading;

export type SubscribeOutcome =
  | (ResourceReference & Subscription & { readonly kind: 'subscribed' })
  | NoReading;

export interface TemplateCompletion {
  readonly server: string;
  readonly uriTemplate: string;
  readonly variable: string;
  readonly typed: string;
  /** The variables that are settled already. */
  readonly others?: Readonly<Record<string, string>>;
}

export interface ResourceParts extends ReadingParts {
  readonly subscriptions: Subscriptions;
}

interface Settings {
  readonly signal?: AbortSignal;
}

/** Legacy servers say the one, modern ones the other. */
const NOT_FOUND: ReadonlySet<number> = new Set([-32_002, -32_602]);

export const RESOURCES: ListOf<Resource> = {
  feature: 'resources',
  key: 'resources/list',
  isTold,
  nameOf: ({ uri }) => uri,
  page: (session, cursor, options) => session.resources.list(cursor, options),
};

export const TEMPLATES: ListOf<ResourceTemplate> = {
  feature: 'resources',
  key: 'resources/templates/list',
  isTold,
  nameOf: ({ uriTemplate }) => uriTemplate,
  page: (session, cursor, options) => session.resources.templates(cursor, options),
};

export class Resources {
  readonly #parts: ResourceParts;

  constructor(parts: ResourceParts) {
    this.#parts = parts;
  }

  /** All that servers list. Connects to them. */
  async list(options: ListOptions = {}): Promise<ResourcesReport> {
    const { items, ...problems } = await listServers(this.#parts.asking, RESOURCES, options);
    const resources = items.map(({ server, item: { uri, size, ...about } }) => ({
      server,
      uri,
      ...words(about),
      size,
    }));
    return { resources, ...problems };
  }

  /** What resources there are that can be named, but not listed. */
  async templates(options: ListOptions = {}): Promise<TemplatesReport> {
    const { items, ...problems } = await listServers(this.#parts.asking, TEMPLATES, options);
    const templates = items.map(({ server, item: { uriTemplate, ...about } }) => ({
      server,
      uriTemplate,
      ...words(about),
    }));
    return { templates, ...problems };
  }

  /** Which server has a resource: the one that lists it, else the one with a template that it fits. */
  async locate(uri: string, options: ListOptions = {}): Promise<Located> {
    const listed = await listServers(this.#parts.asking, RESOURCES, options);
    const exact = listed.items.filter(({ item }) => item.uri === uri);
    const names = listed.items.map(({ item }) => item.uri);
    const found: FoundNames = { asked: uri, names, problems: listed.problems };
    if (exact.length > 0) return locatedIn(exact, found);
    const { items } = await listServers(this.#parts.asking, TEMPLATES, options);
    return locatedIn(
      items.filter(({ item }) => fitsTemplate(item.uriTemplate, uri)),
      found,
    );
  }

  /** Reads a resource through its server. Whatever goes wrong is an outcome. */
  async read(
    reference: ResourceReference,
    { signal = never }: Settings = {},
  ): Promise<ReadOutcome> {
    const { server, uri } = reference;
    const denied = await deniedReading(this.#parts, reference, signal);
    if (denied !== undefined) return denied;
    const read = await this.#parts.asking.ask(
      {
        server,
        feature: 'resources',
        pace: 'call',
        key: `resources/read ${uri}`,
        ask: (session, options) => session.resources.read(uri, options),
        keep: ({ freshness }) => freshness,
      },
      { signal: shared(signal) },
    );
    if (!read.ok) return asNotFound(reference, read.error);
    const content = read.value.contents.map(
      (resource) => ({ type: 'resource', resource }) as const,
    );
    return { kind: 'result', server, uri, parts: await fitContent(this.#parts, server, content) };
  }

  /**
   * Reports that the resource changed, until the subscription is disposed of or the host closed, even over
   * reconnections. Told after every gap, too, in which a change may have been missed.
   */
  async subscribe(
    reference: ResourceReference,
    onUpdate: () => void,
    { signal = never }: Settings = {},
  ): Promise<SubscribeOutcome> {
    const { server, uri } = reference;
    const denied = await deniedReading(this.#parts, reference, signal);
    if (denied !== undefined) return denied;
    const begun = await this.#parts.subscriptions.add(reference, onUpdate, shared(signal));
    if (!begun.ok) return asNotFound(reference, begun.error);
    return { kind: 'subscribed', server, uri, [Symbol.dispose]: begun.value[Symbol.dispose] };
  }

  /** What a variable of a template could be. */
  complete(
    { server, uriTemplate, variable, typed, others = {} }: TemplateCompletion,
    { signal }: Settings = {},
  ): Promise<CompleteOutcome> {
    const request = {
      of: { kind: 'template', uriTemplate },
      argument: variable,
      typed,
      others,
    } as const;
    return complete(this.#parts.asking, { server, request }, signal);
  }
}

function isTold({ features }: Session): boolean {
  return features.announces.has('resources');
}

function words(
  about: Omit<ResourceTemplate, 'uriTemplate'>,
): Omit<HostTemplate, 'server' | 'uriTemplate'> {
  const { name, title, description = '', mimeType } = about;
  const { text, whole } = modelText(description, 'fullDescription');
  return { name, title, description: text, ...whole, mimeType };
}

function asNotFound(reference: ResourceReference, unanswered: Unanswered): NoReading {
  if (unanswered.kind !== 'protocol-error' || unanswered.failure.kind !== 'rpc') return unanswered;
  const { code, message } = unanswered.failure;
  return NOT_FOUND.has(code) ? { kind: 'not-found', ...reference, message } : unanswered;
}
