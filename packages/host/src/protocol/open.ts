// The one way in: opens a session to a server, whatever the transport. The SDK is loaded here, on
// first use, so that commands which connect to nothing start fast.

import { type Clock, deadline, err, type Logger, ok, type Result } from '@plugboard/base';
import type { ProcessLedger } from '../platform/index.ts';
import type { Link } from './client-session.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { InboundPort } from './neutral/inbound.ts';
import type { Launch } from './neutral/launch.ts';
import { type Linked, linkTo } from './link-to.ts';
import type { ServerIdentity } from './neutral/model.ts';
import type { RequestOptions, Session } from './neutral/session.ts';
import { mayBeSse, ofBoth, type Seen } from './transport/sse-fallback.ts';
import type { Recorder } from './trace/recorder.ts';

export interface OpenPorts {
  readonly clock: Clock;
  readonly ledger: ProcessLedger | undefined;
  /** How we introduce ourselves to servers. */
  readonly client: ServerIdentity;
  readonly inbound: InboundPort;
  /** Hears why something is not as the entry has it. */
  readonly logger?: Logger | undefined;
  /** Hears of every frame. */
  readonly recorder?: Recorder | undefined;
}

/** Opens a session within `timeoutMs`. On failure nothing that was started is left. */
export async function open(
  launch: Launch,
  options: RequestOptions,
  ports: OpenPorts,
): Promise<Result<Session, ProtocolFailure>> {
  using limit = deadline(options.timeoutMs, ports.clock, options.signal);
  const within = { signal: limit.signal, timeoutMs: options.timeoutMs };
  const first = await attempt(launch, within, ports);
  if (launch.kind !== 'http-or-sse' || first.opened.ok) return first.opened;
  if (!mayBeSse(first.opened.error, first.seen)) return first.opened;
  const second = await attempt({ ...launch, kind: 'sse' }, within, ports);
  return second.opened.ok ? second.opened : err(ofBoth(first.opened.error, second.opened.error));
}

interface Attempt {
  readonly opened: Result<Session, ProtocolFailure>;
  readonly seen: Seen | undefined;
}

async function attempt(
  launch: Launch,
  options: RequestOptions,
  ports: OpenPorts,
): Promise<Attempt> {
  const linked = await tryLink(launch, options, ports);
  if (!linked.ok) return { opened: linked, seen: undefined };
  const { openClientSession } = await import('./client-session.ts');
  const { client, inbound, clock, recorder } = ports;
  const link = await traced(linked.value.link, clock, recorder);
  const opened = await openClientSession(link, { ...options, client, inbound, clock });
  const { evidence, seen } = linked.value;
  if (opened.ok || opened.error.kind !== 'timeout' || evidence === undefined) {
    return { opened, seen };
  }
  return { opened: err({ ...opened.error, evidence: evidence() }), seen };
}

async function traced(link: Link, clock: Clock, recorder: Recorder | undefined): Promise<Link> {
  if (recorder === undefined) return link;
  const { withTrace } = await import('./trace/with-trace.ts');
  return { ...link, transport: withTrace(link.transport, { recorder, clock }) };
}

/** A server of the program's own may already fail, or hang, while it is being connected. */
async function tryLink(
  launch: Launch,
  { signal, timeoutMs }: RequestOptions,
  ports: OpenPorts,
): Promise<Result<Linked, ProtocolFailure>> {
  try {
    return ok(await linkTo(launch, ports, signal));
  } catch (thrown) {
    const { classify } = await import('./classify.ts');
    return err(classify(thrown, { signal, timeoutMs, url: '', end: () => undefined }));
  }
}
