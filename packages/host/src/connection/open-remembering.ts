// Opens a session in the era that the server is known to speak, and remembers what it turned out to
// speak. A verdict that fails is dropped, and the server asked once more without it. The session is told
// whether the server asks for folders at once.

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
  /** Under which verdicts are kept. Without it there is nothing to remember. */
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
  // However many tries it was, they had this time together.
  return err({ ...opened.error, ms: limits.timeoutMs });
}

async function openByVerdict<S extends { readonly era: Era }>(
  { launch, fingerprint }: RememberedLaunch,
  limits: RequestOptions,
  ports: RememberingPorts<S>,
): Promise<OpenResult<S>> {
  const { eras, clock } = ports;
  // Where the entry names the era there is nothing to find out, and nothing to learn for others.
  if (eras === undefined || fingerprint === undefined || launch.era !== 'auto') {
    return openNamed(launch, limits, ports);
  }
  const remaining = countdown(limits, clock);
  const verdict = await eras.recall(fingerprint);
  if (verdict !== undefined && isFresh(verdict, clock.now())) {
    const opened = await openNamed({ ...launch, era: verdict.era }, remaining(), ports);
    const word = opened.ok ? 'keep' : factsOf(opened.error).era;
    if (word === 'keep') return opened;
    eras.forget(fingerprint);
    if (word === 'drop' || limits.signal.aborted) return opened;
  }
  const opened = await openAnew(launch, remaining(), ports);
  if (opened.ok) eras.remember(fingerprint, { era: opened.value.era, at: clock.now() });
  return opened;
}

/** One that is not probed is spoken to in the legacy era; if it refuses that, in the modern one. */
async function openAnew<S extends { readonly era: Era }>(
  launch: Launch,
  limits: RequestOptions,
  ports: OpenPorts<S>,
): Promise<OpenResult<S>> {
  const remaining = countdown(limits, ports.clock);
  const opened = await openNamed(launch, limits, ports);
  const isRefused = !opened.ok && opened.error.kind === 'wrong-era';
  const { auto } = LAUNCH_TRANSPORTS[launch.kind];
  if (!isRefused || auto !== 'legacy-then-modern' || launch.era !== 'auto') return opened;
  return openNamed({ ...launch, era: 'modern' }, remaining(), ports);
}

/** The SDK does not say which era was refused; it is the one that was spoken. */
async function openNamed<S extends { readonly era: Era }>(
  launch: Launch,
  limits: RequestOptions,
  ports: OpenPorts<S>,
): Promise<OpenResult<S>> {
  const opened = await open(launch, limits, ports);
  if (opened.ok || opened.error.kind !== 'wrong-era') return opened;
  return err({ ...opened.error, wanted: firstEra(launch) });
}

/** All tries together have the time of one. */
function countdown({ signal, timeoutMs }: RequestOptions, clock: Clock): () => RequestOptions {
  const start = clock.elapsed();
  return () => ({ signal, timeoutMs: Math.max(1, timeoutMs - (clock.elapsed() - start)) });
}
