// Keeps the lists of connectors up to date while a host lives. A connector whose list is unknown or old is
// asked before the host is used; all others are asked in the background. The answers are stored in files,
// where hosts that watch them find them.

import { type Clock, err, type Instant, type Logger, messageOf, never, ok } from '@plugboard/base';
import type { Diagnostic } from '../config/index.ts';
import { type ConnectionFailure, planOf, type PlanPorts } from '../connection/index.ts';
import {
  type ConfiguredConnector,
  connectorFile,
  type ConnectorSettings,
  connectorSettings,
  type HeadersOf,
  readConnectorCache,
  refreshConnector,
} from '../connectors/index.ts';

/** How long a list counts as new. */
const FRESH_MS = 15 * 60_000;
/** A list that is older is not used before its connector was asked. */
const OLD_MS = 24 * 60 * 60_000;

export interface ConnectorPorts extends PlanPorts {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A connector that can be asked, and when that was done, in this run or by its list. */
interface FollowedConnector {
  connector: ConfiguredConnector;
  settings: ConnectorSettings;
  askedAt?: Instant;
  problem?: Diagnostic | undefined;
}

export class ConnectorUpkeep implements AsyncDisposable {
  readonly #ports: ConnectorPorts;
  readonly #end = new AbortController();
  /** By the file that its list is kept in: another address or name is another connector. */
  #followed: ReadonlyMap<string, FollowedConnector> = new Map();
  #round: Promise<void> = Promise.resolve();
  #timer: Disposable | undefined;
  #isStarted = false;

  constructor(ports: ConnectorPorts) {
    this.#ports = ports;
  }

  /** Why lists could not be brought up to date. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#followed.values()].flatMap(({ problem }) => problem ?? []);
  }

  /** These are the connectors from now on. Those that are new are asked, once this is started. */
  follow(connectors: readonly ConfiguredConnector[]): void {
    const before = this.#followed;
    const found = connectors.flatMap((connector) => {
      const settings = connectorSettings(connector);
      return settings === undefined ? [] : [{ connector, settings }];
    });
    this.#followed = new Map(
      found.map((one) => {
        const file = connectorFile(one.settings, this.#ports.environment);
        // The same one, which may be being asked just now.
        return [file, Object.assign(before.get(file) ?? {}, one)];
      }),
    );
    const isNew = [...this.#followed.keys()].some((file) => !before.has(file));
    if (isNew && this.#isStarted) this.#next();
  }

  /** Asks those without a list, or with an old one. Answers whether any was asked. */
  async askFirst(): Promise<boolean> {
    return (await this.#askOlderThan(OLD_MS, never)) > 0;
  }

  /** From now on lists are kept new, in the background. */
  start(): void {
    this.#isStarted = true;
    this.#next();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStarted = false;
    this.#end.abort(new Error('the host is closed'));
    this.#timer?.[Symbol.dispose]();
    await this.#round;
  }

  #next(): void {
    this.#timer?.[Symbol.dispose]();
    this.#round = this.#round.then(async () => {
      await this.#askOlderThan(FRESH_MS, this.#end.signal);
      this.#timer?.[Symbol.dispose]();
      if (!this.#isStarted) return;
      this.#timer = this.#ports.clock.after(FRESH_MS, () => this.#next());
    });
  }

  /** Never rejects. */
  async #askOlderThan(ms: number, signal: AbortSignal): Promise<number> {
    const { clock } = this.#ports;
    const asked = await Promise.all(
      [...this.#followed.values()].map(async (followed) => {
        const since = followed.askedAt ?? (await listedAt(followed, this.#ports));
        // A clock that was set back makes no list new.
        const age = since === undefined ? Infinity : Math.abs(clock.now() - since);
        if (age < ms || signal.aborted) return false;
        followed.problem = await this.#ask(followed, signal);
        followed.askedAt = clock.now();
        return true;
      }),
    );
    return asked.filter(Boolean).length;
  }

  /** What went wrong, if anything did. */
  async #ask(followed: FollowedConnector, signal: AbortSignal): Promise<Diagnostic | undefined> {
    const { environment, clock, logger } = this.#ports;
    const headersOf = headersOfPlan(followed.connector, this.#ports);
    try {
      const refreshed = await refreshConnector(followed.settings, {
        environment,
        clock,
        logger,
        signal,
        headersOf,
      });
      if (refreshed.kind === 'refreshed') return undefined;
      const { diagnostic } = refreshed;
      logger.log('warn', 'a connector did not list its servers', { reason: diagnostic.message });
      return diagnostic;
    } catch (thrown) {
      // Given up with the host; anything else is a fault of ours, and no reason to end the program.
      const level = signal.aborted ? 'debug' : 'error';
      logger.log(level, 'gave up asking a connector', { reason: messageOf(thrown) });
      return followed.problem;
    }
  }
}

async function listedAt(
  { settings }: FollowedConnector,
  { environment }: ConnectorPorts,
): Promise<Instant | undefined> {
  return (await readConnectorCache(settings, environment))?.at;
}

/** Made as for a server: secrets are read and the helper is run, each time again. */
function headersOfPlan(connector: ConfiguredConnector, ports: ConnectorPorts): HeadersOf {
  return async (_settings, _why, signal) => {
    const { name, resolved } = connector;
    if (resolved.kind !== 'ready') return err('a variable of it is not set');
    const server = {
      name,
      entry: resolved.entry,
      secrets: resolved.secrets ?? [],
      isForeign: false,
    };
    const plan = planOf(server, ports);
    if (!plan.ok) return err(`its headers cannot be made (${plan.error.kind})`);
    const prepared = await plan.value.prepare(signal);
    if (!prepared.ok) return err(reasonOf(prepared.error));
    const { launch } = prepared.value;
    return ok('headers' in launch ? launch.headers : {});
  };
}

function reasonOf(failure: ConnectionFailure): string {
  if (failure.kind === 'unresolved')
    return failure.problems.map(({ message }) => message.replace(/\.$/, '')).join('; ');
  return failure.kind === 'helper-failed'
    ? `its "headersHelper" failed (${failure.reason.kind})`
    : `its headers cannot be made (${failure.kind})`;
}
