// The subscriptions of a legacy client to resources. At a legacy server, the client's own connection subscribes, and does so
// again after it was lost; at a modern one, which has no such request, the host listens for the client.

import { never } from '@plugboard/base';
import type { Exchange } from '../client/index.ts';
import type { Endpoint, Upstream } from '../endpoint/index.ts';
import {
  failed,
  INVALID_PARAMS,
  type RpcReply,
  type RpcRequest,
  textOr,
} from '../message/index.ts';
import type { ModernUpstreams } from './modern-upstreams.ts';

/** Per session. */
const MOST_SUBSCRIPTIONS = 1000;

interface Subscription {
  readonly server: string;
  /** Set for a modern server. */
  readonly watch: Disposable | undefined;
}

export class SessionSubscriptions implements Disposable {
  readonly #endpoint: Endpoint;
  readonly #modernUpstreams: ModernUpstreams;
  readonly #onUpdate: (uri: string) => void;
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(
    endpoint: Endpoint,
    modernUpstreams: ModernUpstreams,
    onUpdate: (uri: string) => void,
  ) {
    this.#endpoint = endpoint;
    this.#modernUpstreams = modernUpstreams;
    this.#onUpdate = onUpdate;
  }

  /** `forward` sends the request to its server. */
  async handle(
    { method, params }: RpcRequest,
    { signal }: Exchange,
    {
      upstream,
      forward,
    }: { readonly upstream: Upstream; readonly forward: () => Promise<RpcReply> },
  ): Promise<RpcReply> {
    const uri = textOr(params['uri']);
    if (method === 'resources/unsubscribe') return this.#end(uri, forward);
    if (this.#subscriptions.size >= MOST_SUBSCRIPTIONS) {
      return failed(INVALID_PARAMS, 'There are too many subscriptions');
    }
    const owner = await this.#endpoint.lists.ownerOf(uri, signal);
    if (!owner.ok || !(await this.#isModern(owner.value, upstream))) {
      const reply = await forward();
      if (owner.ok && 'result' in reply) this.#note(uri, owner.value, undefined);
      return reply;
    }
    const watch = await this.#endpoint.watch(uri, () => this.#onUpdate(uri), signal);
    if (watch === undefined) {
      return failed(INVALID_PARAMS, 'The server does not say when this resource changes');
    }
    this.#note(uri, owner.value, watch);
    return { result: {} };
  }

  /** The servers that notify the client over its own connection. */
  get servers(): readonly string[] {
    const all = [...this.#subscriptions.values()];
    return all.filter(({ watch }) => watch === undefined).map(({ server }) => server);
  }

  /** Subscribes again after the connection to a server was lost. */
  async renew(server: string, { relay }: Upstream): Promise<void> {
    for (const [uri, subscription] of this.#subscriptions) {
      if (subscription.server !== server || subscription.watch !== undefined) continue;
      const request = { method: 'resources/subscribe', params: { uri } };
      const answered = await relay.request(server, request, { signal: never });
      // The resource may have changed meanwhile.
      if (answered.ok) this.#onUpdate(uri);
    }
  }

  [Symbol.dispose](): void {
    for (const { watch } of this.#subscriptions.values()) watch?.[Symbol.dispose]();
    this.#subscriptions.clear();
  }

  async #isModern(server: string, { relay }: Upstream): Promise<boolean> {
    if (this.#modernUpstreams.isModern(server)) return true;
    const opened = await relay.sessions.open(server);
    return opened.ok && opened.value.era === 'modern';
  }

  #note(uri: string, server: string, watch: Disposable | undefined): void {
    this.#subscriptions.get(uri)?.watch?.[Symbol.dispose]();
    this.#subscriptions.set(uri, { server, watch });
  }

  async #end(uri: string, forward: () => Promise<RpcReply>): Promise<RpcReply> {
    const subscription = this.#subscriptions.get(uri);
    this.#subscriptions.delete(uri);
    if (subscription?.watch === undefined) return forward();
    subscription.watch[Symbol.dispose]();
    return { result: {} };
  }
}
