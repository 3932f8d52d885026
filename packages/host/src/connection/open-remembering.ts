// Opens a session in the era that the server is known to speak, and stores the era that it does speak. A verdict that
// fails is dropped, and the server is opened once more without it. The session also learns whether the server requests
// the roots as soon as it is connected.

import { type Clock, err, type Result } from '@plugboard/base';
import {
  type Era,
  factsOf,
  type Launch,
  LAUNCH_TRANSPORTS,
  open,
  type OpenPorts,
  type ProtocolFailure,
  type RequestOptions,
} from '../protocol/index.ts';
import { type ConnectionMemory, rememberingRoots } from './connection-memory.ts';
import { firstEra, isFresh } from './era-verdict.ts';

export interface RememberingPorts<S> extends OpenPorts<S> {
  readonly memory?: ConnectionMemory | undefined;
}

export interface RememberedLaunch {
  readonly launch: Launch;
  /** The key of stored verdicts. Without it nothing is stored. */
  readonly fingerprint: string | undefined;
}

type OpenResult<S> = Result<S, ProtocolFailure>;

export async function openRemembering<S extends { readonly era: Era }>(
  remembered: RememberedLaunch,
  limits: RequestOptions,
  ports: RememberingPorts<S>,
): Promise<OpenResult<S>> {
  const inbound = await rememberingRoots(ports, remembered.fingerprint);
  const opened = await openByVerdict(remembered, limits, { ...ports, inbound });
  if (opened.ok || opened.error.kind !== 'timeout') return opened;
  // All attempts share this time limit.
  return err({ ...opened.error, ms: limits.timeoutMs });
}

async function openByVerdict<S extends { readonly era: Era }>(
  { launch, fingerprint }: RememberedLaunch,
  limits: RequestOptions,
  ports: RememberingPorts<S>,
): Promise<OpenResult<S>> {
  const { memory, clock } = ports;
  // If the entry states the era, there is nothing to store.
  if (memory === undefined || fingerprint === undefined || launch.era !== 'auto') {
    return openWithoutVerdict(launch, limits, ports);
  }
  const remaining = countdown(limits, clock);
  const verdict = await memory.verdict(fingerprint);
  if (verdict !== undefined && isFresh(verdict, clock.now())) {
    const opened = await openInEra({ ...launch, era: verdict.era }, remaining(), ports);
    const advice = opened.ok ? 'keep' : factsOf(opened.error).era;
    if (advice === 'keep') return opened;
    memory.saveVerdict(fingerprint, undefined);
    if (advice === 'drop' || limits.signal.aborted) return opened;
  }
  const opened = await openWithoutVerdict(launch, remaining(), ports);
  if (opened.ok) memory.saveVerdict(fingerprint, { era: opened.value.era, at: clock.now() });
  return opened;
}

/** Opens the server in the usual way of its transport, and if it refuses that, in the other era. */
async function openWithoutVerdict<S extends { readonly era: Era }>(
  launch: Launch,
  limits: RequestOptions,
  ports: OpenPorts<S>,
): Promise<OpenResult<S>> {
  const remaining = countdown(limits, ports.clock);
  const opened = await openInEra(launch, limits, ports);
  const era = opened.ok ? undefined : otherEra(launch, opened.error);
  if (era === undefined) return opened;
  const second = await openInEra({ ...launch, era }, remaining(), ports);
  // If the server fails in the legacy era too, the era is not the reason.
  return second.ok || era === 'modern' ? second : opened;
}

function otherEra(launch: Launch, failure: ProtocolFailure): Era | undefined {
  if (launch.era !== 'auto') return undefined;
  const { auto } = LAUNCH_TRANSPORTS[launch.kind];
  switch (auto) {
    case 'legacy-then-modern':
      return failure.kind === 'wrong-era' ? 'modern' : undefined;
    case 'probe':
      return mayBeUnknownMethod(failure) ? 'legacy' : undefined;
    case 'legacy':
      return undefined;
    default:
      return auto satisfies never;
  }
}

/** Some legacy servers answer the unknown method of a probe with these statuses; proxies answer with others. */
function mayBeUnknownMethod(failure: ProtocolFailure): boolean {
  return failure.kind === 'http' && (failure.status === 500 || failure.status === 501);
}

/** The refused era in a failure is the one that was used, which the SDK does not report. */
async function openInEra<S extends { readonly era: Era }>(
  launch: Launch,
  limits: RequestOptions,
  ports: OpenPorts<S>,
): Promise<OpenResult<S>> {
  const opened = await open(launch, limits, ports);
  if (opened.ok || opened.error.kind !== 'wrong-era') return opened;
  return err({ ...opened.error, wanted: firstEra(launch) });
}

/** Limits with the remaining time: all attempts share one time limit. */
function countdown({ signal, timeoutMs }: RequestOptions, clock: Clock): () => RequestOptions {
  const start = clock.elapsed();
  return () => ({ signal, timeoutMs: Math.max(1, timeoutMs - (clock.elapsed() - start)) });
}
