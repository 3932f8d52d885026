// Resources that a legacy client subscribed to. A legacy server is asked over the client's own connection to it, and again
// after it was lost; a modern one has no such request, so that the host listens for the client.

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

/** Of one session. */
const MOST_SUBSCRIPTIONS = 1000;

interface Subscription {
  readonly server: string;
  /** Of a modern server. */
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

  /** `passed` sends the request to its server. */
  async handle(
    { method, params }: RpcRequest,
    { signal }: Exchange,
    { upstream, passed }: { readonly upstream: Upstream; readonly passed: () => Promise<RpcReply> },
  ): Promise<RpcReply> {
    const uri = textOr(params['uri']);
    if (method === 'resources/unsubscribe') return this.#end(uri, passed);
    if (this.#subscriptions.size >= MOST_SUBSCRIPTIONS) {
      return failed(INVALID_PARAMS, 'There are too many subscriptions');
    }
    const owner = await this.#endpoint.lists.ownerOf(uri, signal);
    if (!owner.ok || !(await this.#isModern(owner.value, upstream))) {
      const reply = await passed();
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

  /** Those that tell the client over its own connection. */
  get servers(): readonly string[] {
    const subscribed = [...this.#subscriptions.values()];
    return subscribed.filter(({ watch }) => watch === undefined).map(({ server }) => server);
  }

  /** A connection was lost: what the client subscribed to there is subscribed to again. */
  async renew(server: string, { relay }: Upstream): Promise<void> {
    for (const [uri, subscribed] of this.#subscriptions) {
      if (subscribed.server !== server || subscribed.watch !== undefined) continue;
      const request = { method: 'resources/subscribe', params: { uri } };
      const answered = await relay.request(server, request, { signal: never });
      // It may have changed meanwhile.
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

  async #end(uri: string, passed: () => Promise<RpcReply>): Promise<RpcReply> {
    const subscribed = this.#subscriptions.get(uri);
    this.#subscriptions.delete(uri);
    if (subscribed?.watch === undefined) return passed();
    subscribed.watch[Symbol.dispose]();
    return { result: {} };
  }
}
