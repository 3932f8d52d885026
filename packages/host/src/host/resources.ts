// The resources of all servers: lists, reads and watches each through its own server. The host itself never fetches
// an address that a server names.

import { never, shared } from '@plugboard/base';
import { fitsTemplate, modelText } from '../catalog/index.ts';
import type { Part } from '../output/index.ts';
import type { Resource, ResourceTemplate } from '../protocol/index.ts';
import type { DeniedReading } from './call-permission.ts';
import { complete, type CompleteOutcome } from './completion.ts';
import { type FoundNames, type Located, locatedIn } from './located.ts';
import { type ListOf, type ListOptions, type ListProblems, listServers } from './list-servers.ts';
import { fitContent, type ReadingOptions, type ReadingParts } from './reading.ts';
import type { ResourceReference, Subscriptions } from './subscriptions.ts';
import type { Unanswered } from './unanswered.ts';

export interface HostResource {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  /** The complete description, if `description` is cut for the model. */
  readonly fullDescription?: string;
  readonly mimeType: string | undefined;
  /** In bytes, as the server states it. */
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
  /** The server has no such resource; `message` is its own text. */
  | (ResourceReference & { readonly kind: 'not-found'; readonly message: string })
  | DeniedReading;

export type ReadOutcome =
  | (ResourceReference & { readonly kind: 'result'; readonly parts: readonly Part[] })
  | NoReading;

export type SubscribeOutcome =
  | (ResourceReference & Disposable & { readonly kind: 'subscribed' })
  | NoReading;

export interface TemplateCompletion {
  readonly server: string;
  readonly uriTemplate: string;
  readonly variable: string;
  readonly typed: string;
  /** Variables that already have a value. */
  readonly others?: Readonly<Record<string, string>>;
}

/** The error codes of legacy and of modern servers. */
const NOT_FOUND: ReadonlySet<number> = new Set([-32_002, -32_602]);

export const RESOURCES: ListOf<Resource> = {
  feature: 'resources',
  key: 'resources/list',
  announcedAs: 'resources',
  nameOf: ({ uri }) => uri,
  page: (session, cursor, options) => session.resources.list(cursor, options),
};

export const TEMPLATES: ListOf<ResourceTemplate> = {
  feature: 'resources',
  key: 'resources/templates/list',
  announcedAs: 'resources',
  nameOf: ({ uriTemplate }) => uriTemplate,
  page: (session, cursor, options) => session.resources.templates(cursor, options),
};

export class Resources {
  readonly #parts: ReadingParts;
  readonly #subscriptions: Subscriptions;

  constructor(parts: ReadingParts, subscriptions: Subscriptions) {
    this.#parts = parts;
    this.#subscriptions = subscriptions;
  }

  /** All resources that servers list. Connects to the servers. */
  async list(options: ListOptions = {}): Promise<ResourcesReport> {
    const { items, ...problems } = await listServers(this.#parts.queries, RESOURCES, options);
    const resources = items.map(({ server, item: { uri, size, ...about } }) => ({
      server,
      uri,
      ...shownFields(about),
      size,
    }));
    return { resources, ...problems };
  }

  /** The templates for resources that servers do not list. */
  async templates(options: ListOptions = {}): Promise<TemplatesReport> {
    const { items, ...problems } = await listServers(this.#parts.queries, TEMPLATES, options);
    const templates = items.map(({ server, item: { uriTemplate, ...about } }) => ({
      server,
      uriTemplate,
      ...shownFields(about),
    }));
    return { templates, ...problems };
  }

  /** The server that lists a resource, or else the one with a matching template. */
  async locate(uri: string, options: ListOptions = {}): Promise<Located> {
    const listed = await listServers(this.#parts.queries, RESOURCES, options);
    const exact = listed.items.filter(({ item }) => item.uri === uri);
    const names = listed.items.map(({ item }) => item.uri);
    const found: FoundNames = { asked: uri, names, problems: listed.problems };
    if (exact.length > 0) return locatedIn(exact, found);
    const { items } = await listServers(this.#parts.queries, TEMPLATES, options);
    return locatedIn(
      items.filter(({ item }) => fitsTemplate(item.uriTemplate, uri)),
      found,
    );
  }

  /** Reads a resource through its server. Every failure is an outcome. */
  async read(
    reference: ResourceReference,
    { signal = never }: ReadingOptions = {},
  ): Promise<ReadOutcome> {
    const { server, uri } = reference;
    const denied = await this.#parts.permission.permitRead(reference, signal);
    if (denied !== undefined) return denied;
    const read = await this.#parts.queries.run(
      {
        server,
        feature: 'resources',
        pace: 'call',
        key: `resources/read ${uri}`,
        send: (session, options) => session.resources.read(uri, options),
        keep: ({ freshness }) => freshness,
      },
      { signal },
    );
    if (!read.ok) return asNotFound(reference, read.error);
    const content = read.value.contents.map(
      (resource) => ({ type: 'resource', resource }) as const,
    );
    return { kind: 'result', server, uri, parts: await fitContent(this.#parts, server, content) };
  }

  /**
   * Reports changes of the resource until the subscription is disposed of or the host is closed, also across
   * reconnections. Reports a change after every gap in which one may have been missed.
   */
  async subscribe(
    reference: ResourceReference,
    onUpdate: () => void,
    { signal = never }: ReadingOptions = {},
  ): Promise<SubscribeOutcome> {
    const { server, uri } = reference;
    const denied = await this.#parts.permission.permitRead(reference, signal);
    if (denied !== undefined) return denied;
    const begun = await this.#subscriptions.add(reference, onUpdate, shared(signal));
    if (!begun.ok) return asNotFound(reference, begun.error);
    return { kind: 'subscribed', server, uri, [Symbol.dispose]: begun.value[Symbol.dispose] };
  }

  /** Possible values of a template's variable. */
  complete(
    { server, uriTemplate, variable, typed, others = {} }: TemplateCompletion,
    options: ReadingOptions = {},
  ): Promise<CompleteOutcome> {
    const request = {
      of: { kind: 'template', uriTemplate },
      argument: variable,
      typed,
      others,
    } as const;
    return complete(this.#parts.queries, { server, request }, options);
  }
}

function shownFields(
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
