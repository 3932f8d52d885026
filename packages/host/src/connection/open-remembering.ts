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
import { type EraMemory, firstEra, isFresh } from './era-verdict.ts';
import { rememberingRoots, type RootsMemory } from './roots-memory.ts';

export interface RememberingPorts<S> extends OpenPorts<S> {
  readonly eras?: EraMemory | undefined;
  readonly rootsMemory?: RootsMemory | undefined;
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
  const { eras, clock } = ports;
  // If the entry states the era, there is nothing to detect or store.
  if (eras === undefined || fingerprint === undefined || launch.era !== 'auto') {
    return openInEra(launch, limits, ports);
  }
  const remaining = countdown(limits, clock);
  const verdict = await eras.recall(fingerprint);
  if (verdict !== undefined && isFresh(verdict, clock.now())) {
    const opened = await openInEra({ ...launch, era: verdict.era }, remaining(), ports);
    const advice = opened.ok ? 'keep' : factsOf(opened.error).era;
    if (advice === 'keep') return opened;
    eras.forget(fingerprint);
    if (advice === 'drop' || limits.signal.aborted) return opened;
  }
  const opened = await openWithoutVerdict(launch, remaining(), ports);
  if (opened.ok) eras.remember(fingerprint, { era: opened.value.era, at: clock.now() });
  return opened;
}

/** Servers that are not probed are opened in the legacy era, and in the modern one if they refuse that. */
async function openWithoutVerdict<S extends { readonly era: Era }>(
  launch: Launch,
  limits: RequestOptions,
  ports: OpenPorts<S>,
): Promise<OpenResult<S>> {
  const remaining = countdown(limits, ports.clock);
  const opened = await openInEra(launch, limits, ports);
  const isRefused = !opened.ok && opened.error.kind === 'wrong-era';
  const { auto } = LAUNCH_TRANSPORTS[launch.kind];
  if (!isRefused || auto !== 'legacy-then-modern' || launch.era !== 'auto') return opened;
  return openInEra({ ...launch, era: 'modern' }, remaining(), ports);
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
