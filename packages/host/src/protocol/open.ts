// Opens a session to a server over any transport. Loads the SDK on first use, so that commands that connect to no
// server start fast.

import {
  type Clock,
  type Deadline,
  deadline,
  err,
  type Logger,
  ok,
  type Result,
} from '@plugboard/base';
import type { ProcessLedger } from '../platform/index.ts';
import type { OpenOptions } from './open-client-session.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { InboundPort } from './neutral/inbound-requests.ts';
import type { Launch } from './neutral/launch.ts';
import { InstallWatch, LONGEST_INSTALL_MS } from './install-watch.ts';
import { type Link, type LinkPorts, linkTo } from './link-to.ts';
import type { ServerIdentity } from './neutral/model.ts';
import type { RequestOptions, Session, SessionGuard } from './neutral/session.ts';
import { tooOldRuntime } from './transport/stderr-evidence.ts';
import { mayBeSse, moreSpecific } from './transport/sse-fallback.ts';
import type { Recorder } from './trace/recorder.ts';

/** Makes a session of a link, and negotiates. On failure everything that was started has been closed again. */
export type Establish<S> = (
  link: Link,
  options: OpenOptions,
) => Promise<Result<S, ProtocolFailure>>;

export const clientSession: Establish<Session> = async (link, options) => {
  const { openClientSession } = await import('./open-client-session.ts');
  return openClientSession(link, options);
};

export interface OpenPorts<S> {
  readonly establish: Establish<S>;
  readonly clock: Clock;
  readonly ledger: ProcessLedger | undefined;
  /** How the host introduces itself to servers. */
  readonly client: ServerIdentity;
  readonly inbound: InboundPort;
  readonly guard?: SessionGuard | undefined;
  /** Logs why a session differs from what its entry states. */
  readonly logger?: Logger | undefined;
  /** Called for every frame. */
  readonly recorder?: Recorder | undefined;
  /** Called with the package runner that has not started the server yet, and with `undefined` once it has. */
  readonly onInstalling?: ((runner: string | undefined) => void) | undefined;
}

/**
 * Opens a session within `timeoutMs`, which starts over while a package runner still fetches the server. On failure
 * everything that was started has been closed again.
 */
export async function open<S>(
  launch: Launch,
  options: RequestOptions,
  ports: OpenPorts<S>,
): Promise<Result<S, ProtocolFailure>> {
  using limit = deadline(options.timeoutMs, ports.clock, options.signal);
  const within = { limit, timeoutMs: options.timeoutMs };
  const link = await tryLink(launch, within, ports);
  if (!link.ok) return link;
  const first = await attempt(link.value, within, ports);
  if (launch.kind !== 'http-or-sse' || first.ok) return first;
  if (!mayBeSse(first.error, link.value.eraEvidence)) return first;
  const sse = await tryLink({ ...launch, kind: 'sse' }, within, ports);
  const second = sse.ok ? await attempt(sse.value, within, ports) : sse;
  return second.ok ? second : err(moreSpecific(first.error, second.error));
}

interface Within {
  readonly limit: Deadline;
  readonly timeoutMs: number;
}

async function attempt<S>(
  link: Link,
  { limit, timeoutMs }: Within,
  ports: OpenPorts<S>,
): Promise<Result<S, ProtocolFailure>> {
  const { signal } = limit;
  const { client, inbound, clock, recorder, onInstalling, guard, establish } = ports;
  const { installing } = link;
  using watch =
    installing === undefined
      ? undefined
      : new InstallWatch({ installing, limit, timeoutMs, clock, onInstalling });
  const opened = await establish(await traced(link, clock, recorder), {
    signal,
    // The signal enforces the limit; the timer of the SDK cannot be restarted.
    timeoutMs: watch === undefined ? timeoutMs : timeoutMs + 2 * LONGEST_INSTALL_MS,
    client,
    inbound,
    clock,
    guard,
  });
  if (opened.ok) return opened;
  const failure = withEvidence(opened.error, link);
  const { runner, elapsedMs: ms } = watch ?? {};
  if (failure.kind === 'timeout' && failure.evidence !== undefined && runner !== undefined) {
    const { evidence } = failure;
    return err({ kind: 'still-installing', runner, ms: ms ?? 0, evidence });
  }
  return err(tooOldRuntime(failure) ?? failure);
}

function withEvidence(failure: ProtocolFailure, link: Link): ProtocolFailure {
  if (failure.kind !== 'timeout' || link.evidence === undefined) return failure;
  return { ...failure, evidence: link.evidence() };
}

async function traced(link: Link, clock: Clock, recorder: Recorder | undefined): Promise<Link> {
  if (recorder === undefined || recorder.keeps === 'lines') return link;
  const { withTrace } = await import('./trace/with-trace.ts');
  return { ...link, transport: withTrace(link.transport, { recorder, clock }) };
}

/** An in-process server can already fail, or hang, while it is being connected. */
async function tryLink(
  launch: Launch,
  { limit: { signal }, timeoutMs }: Within,
  ports: LinkPorts,
): Promise<Result<Link, ProtocolFailure>> {
  try {
    return ok(await linkTo(launch, ports, signal));
  } catch (thrown) {
    const { classify } = await import('./classify.ts');
    const { sdkFailureOf } = await import('./classify-sdk.ts');
    const context = { signal, timeoutMs, url: '', end: () => undefined };
    return err(classify(thrown, context, sdkFailureOf));
  }
}
