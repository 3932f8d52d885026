// The resources that messages mention. Each is read when it is first mentioned and watched from then on. After a change
// it is attached to the next message, so that the model never works on an old copy.

import type { UserPart } from '@plugboard/agent';
import { type Host, type Part, type ReadOutcome, toText } from '@plugboard/host';
import type { HostEnvironment } from '@plugboard/host/configuration';
import { readError } from '../print/primitive-errors.ts';
import type { Notice } from './chat.ts';

export interface NamedResource {
  readonly server: string;
  readonly uri: string;
}

export interface Attachments {
  readonly parts: readonly UserPart[];
  readonly notices: readonly Notice[];
}

interface WatchedResource {
  readonly resource: NamedResource;
  readonly subscription: Disposable | undefined;
  isChanged: boolean;
}

export interface AttachedResourcesOptions {
  /** Paths are shown relative to it. */
  readonly from: HostEnvironment;
  readonly onChange: (resource: NamedResource) => void;
}

export class AttachedResources implements Disposable {
  readonly #host: Pick<Host, 'resources'>;
  readonly #options: AttachedResourcesOptions;
  readonly #watched = new Map<string, WatchedResource>();

  constructor(host: Pick<Host, 'resources'>, options: AttachedResourcesOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** Reads the named resources, and those named before that have changed since. */
  async attach(named: readonly NamedResource[], signal: AbortSignal): Promise<Attachments> {
    const keys = new Set(named.map(resourceKey));
    const changed = [...this.#watched.values()].filter(
      ({ isChanged, resource }) => isChanged && !keys.has(resourceKey(resource)),
    );
    const all = await Promise.all([
      ...changed.map(({ resource }) => this.#read(resource, signal)),
      ...named.map((resource) => this.#read(resource, signal)),
    ]);
    return {
      parts: all.flatMap(({ parts }) => parts),
      notices: all.flatMap(({ notices }) => notices),
    };
  }

  [Symbol.dispose](): void {
    for (const { subscription } of this.#watched.values()) subscription?.[Symbol.dispose]();
    this.#watched.clear();
  }

  async #read(resource: NamedResource, signal: AbortSignal): Promise<Attachments> {
    const watched = this.#watched.get(resourceKey(resource));
    // Reset before reading: a change in between is then reported twice rather than missed.
    if (watched !== undefined) watched.isChanged = false;
    const outcome = await this.#host.resources.read(resource, { signal });
    if (outcome.kind !== 'result') {
      return { parts: [], notices: [noticeOf(outcome, resource, this.#options.from)] };
    }
    if (watched === undefined) await this.#watch(resource, signal);
    const label = `@${resource.server}:${resource.uri}`;
    return { parts: outcome.parts.map((part) => toUserPart(part, label)), notices: [] };
  }

  async #watch(resource: NamedResource, signal: AbortSignal): Promise<void> {
    const key = resourceKey(resource);
    const onUpdate = (): void => {
      const watched = this.#watched.get(key);
      if (watched === undefined || watched.isChanged) return;
      watched.isChanged = true;
      this.#options.onChange(resource);
    };
    const outcome = await this.#host.resources.subscribe(resource, onUpdate, { signal });
    // Most servers do not report changes; their resources are read once.
    const subscription = outcome.kind === 'subscribed' ? outcome : undefined;
    this.#watched.set(key, { resource, subscription, isChanged: false });
  }
}

function resourceKey({ server, uri }: NamedResource): string {
  return `${server} ${uri}`;
}

function toUserPart(part: Part, label: string): UserPart {
  if (part.kind === 'image') {
    return { kind: 'image', mediaType: part.mimeType, data: part.data };
  }
  return { kind: 'attachment', label, text: toText([part]) };
}

function noticeOf(
  outcome: Exclude<ReadOutcome, { readonly kind: 'result' }>,
  { server }: NamedResource,
  from: HostEnvironment,
): Notice {
  const { message, fix } = readError(outcome, { server, where: undefined, from });
  return { level: 'warning', text: message, fix };
}
