// Keeps one server process that hosts join and leave. It starts the server as a host would, and listens on a socket that
// only its user can reach. It ends, with all processes of the server, after a time without hosts, with the server, or on
// request. It does not decide what a host may call.

import { createServer, type Server, type Socket } from 'node:net';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { type Clock, err, ok, type Result } from '@plugboard/base';
import { noteOwnProcess, type OwnNote, type ProcessLedger } from '../../platform/index.ts';
import { FailureError, type ProtocolFailure } from '../neutral/failure.ts';
import { StdioTransport } from '../transport/stdio-transport.ts';
import { HostLine } from './host-line.ts';
import { Switchboard } from './switchboard.ts';
import { type BrokerState, type BrokerTerms, noteOf, type ToBroker, type ToHost } from './terms.ts';

export interface BrokerPorts {
  readonly clock: Clock;
  readonly ledger: ProcessLedger;
}

/** How long the broker waits for its first host, which joins at once unless it is gone. */
const FIRST_HOST_MS = 60_000;
const MAX_HOSTS = 64;
/** How much output of the server is kept for the next host while none is connected. */
const MAX_UNSENT = 256 * 1024;

export class Broker {
  /** Resolves when all processes of the server are gone. */
  readonly ended: Promise<void>;
  readonly #terms: BrokerTerms;
  readonly #ports: BrokerPorts;
  readonly #server: Server;
  readonly #transport: StdioTransport;
  readonly #board: Switchboard;
  /** The admitted hosts, the oldest first. */
  readonly #hosts = new Set<HostLine>();
  readonly #unadmitted = new Set<HostLine>();
  readonly #since: number;
  #note: OwnNote | undefined;
  #resolveEnded: () => void = () => {};
  #idle: Disposable | undefined;
  #unsent: (ToHost & { readonly plugboard: 'stderr' | 'stray' })[] = [];
  #unsentLength = 0;
  #isRetired = false;
  #ending: Promise<void> | undefined;

  constructor(terms: BrokerTerms, ports: BrokerPorts) {
    this.#terms = terms;
    this.#ports = ports;
    this.#since = ports.clock.now();
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#transport = new StdioTransport(
      { kind: 'stdio', ...terms },
      {
        ...ports,
        recorder: {
          stderr: (text) => this.#sendOutput({ plugboard: 'stderr', text, isYours: true }),
          stray: (text) => this.#sendOutput({ plugboard: 'stray', text, isYours: true }),
        },
      },
    );
    const { roots, grants } = terms;
    this.#board = new Switchboard({
      toServer: (message) => this.#toServer(message),
      roots,
      grants,
      note: (text) =>
        this.#sendOutput({ plugboard: 'stderr', text: `plugboard: ${text}\n`, isYours: true }),
    });
    this.#server = createServer((socket) => this.#onSocket(socket));
  }

  /** Listens before it starts the server, so that a running server always has a reachable broker. */
  async start(): Promise<Result<void, ProtocolFailure>> {
    const listening = await this.#listen();
    if (!listening.ok) {
      this.#resolveEnded();
      return listening;
    }
    this.#note = noteOwnProcess(noteOf(this.#terms.socket));
    this.#idle = this.#ports.clock.after(FIRST_HOST_MS, () => void this.end());
    this.#transport.onmessage = (message) => this.#board.fromServer(message);
    this.#transport.onclose = () => void this.end();
    try {
      await this.#transport.start();
      return ok(undefined);
    } catch (thrown) {
      await this.end();
      return err(failureOf(thrown));
    }
  }

  /** Ends the server by the stop ladder, and notifies the hosts. Every call returns the same promise. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  #listen(): Promise<Result<void, ProtocolFailure>> {
    return new Promise((resolve) => {
      this.#server.once('error', (thrown) =>
        resolve(err({ kind: 'unexpected', message: thrown.message })),
      );
      this.#server.listen(this.#terms.socket, () => resolve(ok(undefined)));
    });
  }

  async #end(): Promise<void> {
    this.#idle?.[Symbol.dispose]();
    // Also removes the socket, so that a new host starts another broker.
    this.#server.close();
    await this.#transport.close();
    const failure = this.#transport.end ?? { kind: 'closed' };
    for (const host of this.#hosts) host.sendTerms({ plugboard: 'ended', failure });
    for (const host of [...this.#hosts, ...this.#unadmitted]) host.end();
    this.#note?.[Symbol.dispose]();
    this.#resolveEnded();
  }

  get #state(): BrokerState {
    const { name, place, fingerprint } = this.#terms;
    const { pid: serverPid } = this.#transport;
    const pid = this.#note?.pid ?? 0;
    const clients = this.#hosts.size;
    return { name, place, fingerprint, pid, serverPid, since: this.#since, clients };
  }

  #onSocket(socket: Socket): void {
    // A new host must start another broker.
    if (this.#ending !== undefined) {
      socket.destroy();
      return;
    }
    const host: HostLine = new HostLine(socket, {
      clock: this.#ports.clock,
      onTerms: (terms) => this.#onTerms(host, terms),
      onMessage: (message) => this.#board.fromHost(host, message),
      onGone: () => this.#onGone(host),
    });
    if (this.#hosts.size + this.#unadmitted.size >= MAX_HOSTS) {
      host.sendTerms({ plugboard: 'refused', why: 'full' });
      host.end();
      return;
    }
    this.#unadmitted.add(host);
    host.sendTerms({ plugboard: 'state', ...this.#state });
  }

  #onTerms(host: HostLine, terms: ToBroker): void {
    switch (terms.plugboard) {
      case 'join':
        this.#onJoin(host, terms.proof);
        break;
      case 'stop':
        void this.end();
        break;
      case 'retire':
        this.#isRetired = true;
        this.#checkUnused();
        break;
      default:
        terms satisfies never;
    }
  }

  #onJoin(host: HostLine, proof: unknown): void {
    if (this.#ending !== undefined) {
      host.end();
      return;
    }
    if (proof !== this.#terms.proof) {
      host.sendTerms({ plugboard: 'refused', why: 'proof' });
      host.end();
      return;
    }
    this.#idle?.[Symbol.dispose]();
    this.#unadmitted.delete(host);
    this.#hosts.add(host);
    this.#board.join(host);
    const { hasAnswered: isRunning, handshake } = this.#board;
    const evidence = this.#transport.evidence();
    host.sendTerms({ plugboard: 'joined', isRunning, handshake, evidence });
    host.join();
    for (const unsent of this.#unsent) host.sendTerms(unsent);
    this.#unsent = [];
    this.#unsentLength = 0;
  }

  #onGone(host: HostLine): void {
    this.#unadmitted.delete(host);
    if (!this.#hosts.delete(host)) return;
    this.#board.leave(host);
    this.#checkUnused();
  }

  /** Ends a server that never answered or is retired; otherwise starts the idle timer. */
  #checkUnused(): void {
    if (this.#hosts.size > 0) return;
    this.#idle?.[Symbol.dispose]();
    if (this.#isRetired || !this.#board.hasAnswered) void this.end();
    else this.#idle = this.#ports.clock.after(this.#terms.idleMs, () => void this.end());
  }

  #toServer(message: JSONRPCMessage): void {
    const sending = this.#transport.send(message);
    const { isHeldUp } = this.#transport;
    if (isHeldUp) for (const host of this.#hosts) host.pause();
    sending.then(
      () => {
        if (isHeldUp) for (const host of this.#hosts) host.resume();
      },
      () => {
        // The server is gone, which `onclose` reports.
      },
    );
  }

  /** Sends output to all hosts. The oldest records it; the others keep it only for failures. */
  #sendOutput(output: ToHost & { readonly plugboard: 'stderr' | 'stray' }): void {
    let isFirst = true;
    for (const host of this.#hosts) {
      host.sendTerms({ ...output, isYours: isFirst });
      isFirst = false;
    }
    if (!isFirst) return;
    this.#unsent.push(output);
    this.#unsentLength += output.text.length;
    while (this.#unsentLength > MAX_UNSENT) {
      this.#unsentLength -= this.#unsent.shift()?.text.length ?? this.#unsentLength;
    }
  }
}

function failureOf(thrown: unknown): ProtocolFailure {
  return thrown instanceof FailureError
    ? thrown.failure
    : { kind: 'unexpected', message: String(thrown) };
}
