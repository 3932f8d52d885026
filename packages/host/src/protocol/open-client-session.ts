// Connects a client over a link and negotiates. The resulting session is in client-session.ts.

import { type Clock, ok, type Result } from '@plugboard/base';
import { ClientSession } from './client-session.ts';
import { connectLink } from './connect-link.ts';
import { SessionRoots } from './early-roots.ts';
import type { Link } from './link-to.ts';
import { makeClient } from './make-client.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { InboundPort } from './neutral/inbound-requests.ts';
import type { ServerIdentity } from './neutral/model.ts';
import type { RequestOptions, Session, SessionGuard } from './neutral/session.ts';
import type { TaskTransport } from './tasks/task-transport.ts';

export interface OpenOptions extends RequestOptions {
  readonly client: ServerIdentity;
  readonly inbound: InboundPort;
  readonly clock: Clock;
  readonly guard?: SessionGuard | undefined;
}

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
  const connected = await connectLink(link, options, {
    judge,
    connect: () => client.connect(tasks ?? link.transport, { signal, timeout: timeoutMs }),
  });
  if (!connected.ok) return connected;
  if (roots !== undefined) session.announceRoots(roots);
  return ok(session);
}

/** Only modern servers answer with tasks. */
async function tasksOver(link: Link, options: OpenOptions): Promise<TaskTransport | undefined> {
  if (link.era === 'legacy') return undefined;
  const tasks = await import('./tasks/task-transport.ts');
  return new tasks.TaskTransport(link.transport, options.clock);
}
