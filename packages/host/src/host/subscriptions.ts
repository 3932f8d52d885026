// Subscriptions to changes of resources, over all servers and beyond the life of one connection: they are
// renewed when a server reconnects, and a connection that is lost while a subscription exists is restored.

import { abortable, type Clock, err, type Logger, never, ok, type Result } from '@plugboard/base';
import type { Session, ResourceWatch } from '../protocol/index.ts';
import type { ServerQueries } from './server-queries.ts';
import { type Unanswered, unansweredAfter } from './unanswered.ts';
import { UpdateBrake } from './update-brake.ts';

export type Subscription = Disposable;

export interface ResourceReference {
  readonly server: string;
  readonly uri: string;
}

export interface SubscriptionParts {
  readonly asking: ServerQueries;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One who listens. */
interface ResourceSubscription extends ResourceReference {
  readonly brake: UpdateBrake;
  session: Session | undefined;
  watching: ResourceWatch | undefined;
}

export class Subscriptions implements Disposable {
  readonly #parts: SubscriptionParts;
  readonly #standing = new Set<ResourceSubscription>();
  #isOver = false;

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
  }

  async add(
    { server, uri }: ResourceReference,
    onUpdate: () => void,
    signal: AbortSignal,
  ): Promise<Result<Subscription, Unanswered>> {
    const session = await this.#parts.asking.session(server, 'subscriptions', signal);
    if (!session.ok) return session;
    const brake = new UpdateBrake(this.#parts.clock, onUpdate);
    const standing: ResourceSubscription = {
      server,
      uri,
      brake,
      session: undefined,
      watching: undefined,
    };
    this.#standing.add(standing);
    const begun = await this.#watch(standing, session.value, signal);
    if (begun.ok) return ok({ [Symbol.dispose]: () => this.#end(standing) });
    this.#end(standing);
    return err(begun.error);
  }

  /** A server is connected: its earlier subscriptions are renewed. */
  onReady(server: string): void {
    const waiting = [...this.#standing].filter((standing) => standing.server === server);
    if (waiting.length > 0) void this.#resume(waiting);
  }

  /** No listener is called any more, and no server is connected for a subscription. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    for (const standing of this.#standing) this.#end(standing);
  }

  async #watch(
    standing: ResourceSubscription,
    session: Session,
    signal: AbortSignal,
  ): Promise<Result<void, Unanswered>> {
    const { server, uri, brake } = standing;
    standing.watching?.[Symbol.dispose]();
    standing.session = session;
    const onUpdate = (): void => {
      this.#parts.asking.forget(session, `resources/read ${uri}`);
      brake.update();
    };
    const { listMs: timeoutMs } = this.#parts.asking.servers.deadlinesOf(server);
    const watching = session.resources.watch(uri, onUpdate, { signal, timeoutMs });
    standing.watching = watching;
    void session.closed.then(() => this.#onLost(standing, session));
    try {
      const begun = await abortable(watching.begun, signal);
      return begun.ok ? begun : err(unansweredAfter(server, begun.error));
    } catch {
      // Beginning never rejects, so it was the signal.
      return err({ kind: 'cancelled', server });
    }
  }

  async #resume(waiting: readonly ResourceSubscription[]): Promise<void> {
    for (const standing of waiting) {
      const session = await this.#parts.asking.session(standing.server, undefined, never);
      if (!session.ok) return;
      if (!this.#standing.has(standing) || standing.session === session.value) continue;
      const begun = await this.#watch(standing, session.value, never);
      if (begun.ok) standing.brake.update();
      else this.#say(standing, begun.error.kind);
    }
  }

  /** Once: a server that is lost again and again is braked where it is started. */
  #onLost(standing: ResourceSubscription, session: Session): void {
    if (this.#isOver || !this.#standing.has(standing) || standing.session !== session) return;
    void this.#parts.asking.session(standing.server, undefined, never).then((again) => {
      if (!again.ok) this.#say(standing, again.error.kind);
    });
  }

  #end(standing: ResourceSubscription): void {
    this.#standing.delete(standing);
    standing.brake[Symbol.dispose]();
    standing.watching?.[Symbol.dispose]();
  }

  #say({ server, uri }: ResourceSubscription, reason: string): void {
    this.#parts.logger.log('warn', 'a resource is not watched any more', { server, uri, reason });
  }
}
