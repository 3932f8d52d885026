// Subscriptions to changes of resources, over all servers and across connections: they are renewed when a server
// reconnects, and a connection that is lost during a subscription is restored.

import { abortable, type Clock, err, type Logger, never, ok, type Result } from '@plugboard/base';
import type { Session, ResourceWatch } from '../protocol/index.ts';
import type { ServerQueries } from './server-queries.ts';
import { failedRequestAnswer, type Unanswered } from './unanswered.ts';
import { UpdateBrake } from './update-brake.ts';

export interface ResourceReference {
  readonly server: string;
  readonly uri: string;
}

export interface SubscriptionParts {
  readonly queries: ServerQueries;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface ResourceSubscription extends ResourceReference {
  readonly brake: UpdateBrake;
  session: Session | undefined;
  watching: ResourceWatch | undefined;
}

export class Subscriptions implements Disposable {
  readonly #parts: SubscriptionParts;
  readonly #subscriptions = new Set<ResourceSubscription>();
  #isDisposed = false;

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
  }

  async add(
    { server, uri }: ResourceReference,
    onUpdate: () => void,
    signal: AbortSignal,
  ): Promise<Result<Disposable, Unanswered>> {
    const session = await this.#parts.queries.session(server, 'subscriptions', signal);
    if (!session.ok) return session;
    const brake = new UpdateBrake(this.#parts.clock, onUpdate);
    const subscription: ResourceSubscription = {
      server,
      uri,
      brake,
      session: undefined,
      watching: undefined,
    };
    this.#subscriptions.add(subscription);
    const begun = await this.#watch(subscription, session.value, signal);
    if (begun.ok) return ok({ [Symbol.dispose]: () => this.#end(subscription) });
    this.#end(subscription);
    return err(begun.error);
  }

  /** Renews the subscriptions of a server that has connected. */
  onReady(server: string): void {
    const waiting = [...this.#subscriptions].filter(
      (subscription) => subscription.server === server,
    );
    if (waiting.length > 0) void this.#resume(waiting);
  }

  /** Stops calling listeners and restoring connections. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const subscription of this.#subscriptions) this.#end(subscription);
  }

  async #watch(
    subscription: ResourceSubscription,
    session: Session,
    signal: AbortSignal,
  ): Promise<Result<void, Unanswered>> {
    const { server, uri, brake } = subscription;
    subscription.watching?.[Symbol.dispose]();
    subscription.session = session;
    const onUpdate = (): void => {
      this.#parts.queries.forget(session, `resources/read ${uri}`);
      brake.update();
    };
    const { listMs: timeoutMs } = this.#parts.queries.servers.deadlinesOf(server);
    const watching = session.resources.watch(uri, onUpdate, { signal, timeoutMs });
    subscription.watching = watching;
    void session.closed.then(() => this.#onLost(subscription, session));
    try {
      const begun = await abortable(watching.begun, signal);
      return begun.ok ? begun : err(failedRequestAnswer(server, begun.error));
    } catch {
      // `begun` never rejects, so the signal was aborted.
      return err({ kind: 'cancelled', server });
    }
  }

  async #resume(waiting: readonly ResourceSubscription[]): Promise<void> {
    for (const subscription of waiting) {
      const session = await this.#parts.queries.session(subscription.server, undefined, never);
      if (!session.ok) return;
      if (!this.#subscriptions.has(subscription) || subscription.session === session.value)
        continue;
      const begun = await this.#watch(subscription, session.value, never);
      if (begun.ok) subscription.brake.update();
      else this.#logEnd(subscription, begun.error.kind);
    }
  }

  /** Connects once: the connection itself limits how often a server is started. */
  #onLost(subscription: ResourceSubscription, session: Session): void {
    if (
      this.#isDisposed ||
      !this.#subscriptions.has(subscription) ||
      subscription.session !== session
    )
      return;
    void this.#parts.queries.session(subscription.server, undefined, never).then((again) => {
      if (!again.ok) this.#logEnd(subscription, again.error.kind);
    });
  }

  #end(subscription: ResourceSubscription): void {
    this.#subscriptions.delete(subscription);
    subscription.brake[Symbol.dispose]();
    subscription.watching?.[Symbol.dispose]();
  }

  #logEnd({ server, uri }: ResourceSubscription, reason: string): void {
    this.#parts.logger.log('warn', 'a resource is not watched any more', { server, uri, reason });
  }
}
