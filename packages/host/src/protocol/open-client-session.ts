// Connects a client over a link and negotiates: what a session is once that is done is in client-session.ts.

import { type Clock, err, ok, type Result } from '@plugboard/base';
import { classify } from './classify.ts';
import { ClientSession } from './client-session.ts';
import { SessionRoots } from './early-roots.ts';
import type { Link } from './link-to.ts';
import { makeClient } from './make-client.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { InboundPort } from './neutral/inbound.ts';
import type { ServerIdentity } from './neutral/model.ts';
import type { RequestOptions, Session, SessionGuard } from './neutral/session.ts';
import type { TaskTransport } from './tasks/with-tasks.ts';

export interface OpenOptions extends RequestOptions {
  readonly client: ServerIdentity;
  readonly inbound: InboundPort;
  readonly clock: Clock;
  readonly guard?: SessionGuard | undefined;
}

/** Connects and negotiates. On failure everything that was started has been closed again. */
export async function openClientSession(
  link: Link,
  options: OpenOptions,
): Promise<Result<Session, ProtocolFailure>> {
  const { signal, timeoutMs, inbound } = options;
  const roots = inbound.roots === undefined ? undefined : new SessionRoots(inbound.roots);
  const answering = roots === undefined ? inbound : { ...inbound, roots };
  const { client, judge } = await makeClient(link, { ...options, inbound: answering });
  const tasks = await tasksOver(link, options);
  const { clock, guard } = options;
  const session = new ClientSession(client, { link, tasks, clock, inbound, judge, guard });
  try {
    // The SDK checks the signal only between its own steps; closing is what ends a hung one.
    const abort = (): void => void link.transport.close();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await client.connect(tasks ?? link.transport, { signal, timeout: timeoutMs });
      signal.throwIfAborted();
    } finally {
      signal.removeEventListener('abort', abort);
    }
  } catch (thrown) {
    const { url } = link;
    const failure = classify(thrown, { signal, timeoutMs, url, end: () => link.end() }, judge);
    await link.transport.close();
    return err(failure);
  }
  if (roots !== undefined) session.announceRoots(roots);
  return ok(session);
}

/** Only modern servers answer with tasks; the others need not pass through one more hand. */
async function tasksOver(link: Link, options: OpenOptions): Promise<TaskTransport | undefined> {
  if (link.era === 'legacy') return undefined;
  const { withTasks } = await import('./tasks/with-tasks.ts');
  return withTasks(link.transport, options);
}
