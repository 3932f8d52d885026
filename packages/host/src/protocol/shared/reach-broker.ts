// Connects a host to the broker of a shared server: joins the running broker, or starts one and joins it. If several
// hosts do this at once, only one starts the broker.

import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  abortable,
  type Clock,
  delay,
  err,
  isObject,
  ok,
  parseJson,
  type Result,
} from '@plugboard/base';
import {
  exists,
  findSocket,
  notedProcess,
  type ProcessLedger,
  removeFile,
  startDetached,
  withFileLock,
} from '../../platform/index.ts';
import { LineSplitter, type SplitLine } from '../frame/line-splitter.ts';
import type { BrokerProblem, ProtocolFailure } from '../neutral/failure.ts';
import { type DialResult, dial } from './ask-broker.ts';
import { retireOutdated } from './running-brokers.ts';
import {
  type BrokerTerms,
  messageLine,
  MAX_LINE_BYTES,
  noteOf,
  readFromBroker,
  type ToHost,
} from './terms.ts';

export interface ReachPorts {
  readonly clock: Clock;
  readonly ledger: ProcessLedger | undefined;
  /** Aborts the attempt; a broker that it started is ended. */
  readonly signal: AbortSignal;
  /** Called if no broker is running yet. */
  readonly onAbsent: () => void;
}

/** A socket on which the broker has admitted this host, paused until its next owner listens. */
export interface BrokerConnection {
  readonly socket: Socket;
  readonly splitter: LineSplitter;
  readonly greeting: ToHost & { readonly plugboard: 'joined' };
  /** Lines that arrived together with the greeting. */
  readonly firstLines: readonly SplitLine[];
}

type JoinAttempt =
  | { readonly kind: 'joined'; readonly joined: BrokerConnection }
  | Exclude<DialResult, { readonly kind: 'answered' }>
  /** The broker closed the connection. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly failure: ProtocolFailure };

/** Attempts, because a broker may end just when it is reached. */
const MAX_TRIES = 5;
const CHECK_MS = 10;
/** Several times as long as a broker takes to end its server. */
const ENDING_MS = 5000;

// The path is the same from the sources and the compiled files; the bundled command has it beside its other
// files.
const PROGRAMS = ['../../../dist/protocol/shared/broker-main.js', '../broker.cjs'] as const;

/** Returns `undefined` if this program was bundled without the broker. */
export async function brokerProgram(): Promise<string | undefined> {
  for (const candidate of PROGRAMS) {
    const path = fileURLToPath(new URL(candidate, import.meta.url));
    if (await exists(path)) return path;
  }
  return undefined;
}

export async function reachBroker(
  program: string,
  terms: BrokerTerms,
  ports: ReachPorts,
): Promise<Result<BrokerConnection, ProtocolFailure>> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const tried = await tryToJoin(terms, ports.signal);
    if (tried.kind === 'joined') return ok(tried.joined);
    if (tried.kind === 'failed') return err(tried.failure);
    ports.onAbsent();
    const started = await startOnce(program, terms, ports);
    if (!started.ok) return started;
  }
  return err(brokerFailed({ kind: 'did-not-start', detail: 'it ends as soon as it is reached' }));
}

/** Starts a broker under a lock. A host that waited for the lock finds the broker of another host. */
async function startOnce(
  program: string,
  terms: BrokerTerms,
  ports: ReachPorts,
): Promise<Result<void, ProtocolFailure>> {
  const { signal, clock, ledger } = ports;
  const { socket } = terms;
  return withFileLock(socket, { signal, clock, timeoutMs: Number.POSITIVE_INFINITY }, async () => {
    const probed = await isAbsent(socket, signal);
    if (!probed.ok) return probed;
    if (!probed.value) return ok(undefined);
    // A broker that no longer listens may still be ending its server.
    const deadline = clock.elapsed() + ENDING_MS;
    while (notedProcess(noteOf(socket)) !== undefined && clock.elapsed() < deadline) {
      await delay(CHECK_MS, clock, signal);
    }
    await removeFile(socket);
    // Processes left by a killed broker would otherwise run beside the new ones.
    await ledger?.sweep();
    const [started] = await Promise.all([
      start(program, terms, signal),
      retireOutdated(terms, clock),
    ]);
    return started;
  });
}

async function start(
  program: string,
  terms: BrokerTerms,
  signal: AbortSignal,
): Promise<Result<void, ProtocolFailure>> {
  const instructions = JSON.stringify(terms);
  const output = await startDetached({ program, instructions, signal });
  if (!output.ok) return err(didNotStart(output.error));
  const answer = parseJson(output.value, { maxLength: 1024 * 1024, maxDepth: 16 });
  if (!answer.ok || !isObject(answer.value)) return err(didNotStart('its answer makes no sense'));
  // Plugboard itself wrote the answer: an empty object or a failure.
  return answer.value['kind'] === undefined
    ? ok(undefined)
    : err(answer.value as unknown as ProtocolFailure);
}

function didNotStart(detail: string): ProtocolFailure {
  return brokerFailed({ kind: 'did-not-start', detail });
}

export function brokerFailed(reason: BrokerProblem): ProtocolFailure {
  return { kind: 'broker-failed', reason };
}

async function isAbsent(
  socket: string,
  signal: AbortSignal,
): Promise<Result<boolean, ProtocolFailure>> {
  const found = await findSocket(socket);
  if (!found.ok) return err(brokerFailed(found.error));
  if (found.value === 'absent') return ok(true);
  const dialed = await dial(socket, signal);
  if (dialed.kind === 'answered') dialed.socket.destroy();
  return ok(dialed.kind === 'absent');
}

async function tryToJoin(
  { socket: path, proof }: BrokerTerms,
  signal: AbortSignal,
): Promise<JoinAttempt> {
  const found = await findSocket(path);
  if (!found.ok) return { kind: 'failed', failure: brokerFailed(found.error) };
  if (found.value === 'absent') return { kind: 'absent' };
  const dialed = await dial(path, signal);
  if (dialed.kind !== 'answered') return dialed;
  const { socket } = dialed;
  try {
    const tried = await abortable(joinOver(socket, proof), signal);
    if (tried.kind !== 'joined') socket.destroy();
    return tried;
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  }
}

function joinOver(socket: Socket, proof: string): Promise<JoinAttempt> {
  const splitter = new LineSplitter(MAX_LINE_BYTES);
  return new Promise((resolve) => {
    const firstLines: SplitLine[] = [];
    let greeting: BrokerConnection['greeting'] | undefined;
    const onLine = (line: SplitLine): void => {
      if (greeting !== undefined) {
        firstLines.push(line);
        return;
      }
      const answer = line.kind === 'line' ? readFromBroker(line.text) : undefined;
      if (answer?.plugboard === 'joined') greeting = answer;
      if (answer?.plugboard !== 'refused') return;
      resolve({ kind: 'failed', failure: brokerFailed({ kind: 'refused', why: answer.why }) });
    };
    const onClose = (): void => resolve({ kind: 'gone' });
    const onData = (chunk: Buffer): void => {
      splitter.push(chunk, onLine);
      if (greeting === undefined) return;
      socket.pause();
      socket.off('data', onData);
      socket.off('close', onClose);
      resolve({ kind: 'joined', joined: { socket, splitter, greeting, firstLines } });
    };
    socket.on('data', onData);
    socket.once('close', onClose);
    socket.write(messageLine({ plugboard: 'join', proof }));
  });
}
