// Keeps the lists of connectors up to date while a host lives. A connector that never listed anything is
// asked before the host is used; all others are asked in the background, and what they answer is stored,
// where whoever follows the files finds it.

import { type Clock, err, type Logger, messageOf, ok } from '@plugboard/base';
import { connectorSettings } from '../admission/index.ts';
import type { ConfiguredConnector, Diagnostic } from '../config/index.ts';
import { type HeadersOf, readConnectorCache, refreshConnector } from '../connectors/index.ts';
import { type ConnectionFailure, planOf, type PlanPorts } from '../connection/index.ts';

/** How long a list counts as new. */
const FRESH_MS = 15 * 60_000;

export interface ConnectorPorts extends PlanPorts {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Asks those that never listed anything. Their servers would be unknown otherwise. */
export async function askUnlisted(
  connectors: readonly ConfiguredConnector[],
  ports: ConnectorPorts,
  signal: AbortSignal,
): Promise<readonly Diagnostic[]> {
  const asked = await Promise.all(
    connectors.map(async (connector) => {
      const listedAt = await listedWhen(connector, ports);
      return listedAt === undefined ? ask(connector, ports, signal) : [];
    }),
  );
  return asked.flat();
}

export class ConnectorUpkeep implements AsyncDisposable {
  readonly #connectors: () => readonly ConfiguredConnector[];
  readonly #ports: ConnectorPorts;
  readonly #end = new AbortController();
  #round: Promise<void>;
  #timer: Disposable | undefined;

  constructor(connectors: () => readonly ConfiguredConnector[], ports: ConnectorPorts) {
    this.#connectors = connectors;
    this.#ports = ports;
    this.#round = this.#askStale();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort(new Error('the host is closed'));
    this.#timer?.[Symbol.dispose]();
    await this.#round;
  }

  async #askStale(): Promise<void> {
    const { clock, logger } = this.#ports;
    const { signal } = this.#end;
    await Promise.all(
      this.#connectors().map(async (connector) => {
        const listedAt = await listedWhen(connector, this.#ports);
        if (listedAt !== undefined && clock.now() - listedAt < FRESH_MS) return;
        for (const { message } of await ask(connector, this.#ports, signal)) {
          logger.log('warn', 'a connector did not list its servers', { reason: message });
        }
      }),
    );
    if (signal.aborted) return;
    this.#timer = clock.after(FRESH_MS, () => {
      this.#round = this.#askStale();
    });
  }
}

async function listedWhen(
  connector: ConfiguredConnector,
  { environment }: ConnectorPorts,
): Promise<number | undefined> {
  const settings = connectorSettings(connector);
  return settings && (await readConnectorCache(settings, environment))?.at;
}

/** What went wrong, if anything did. */
async function ask(
  connector: ConfiguredConnector,
  ports: ConnectorPorts,
  signal: AbortSignal,
): Promise<readonly Diagnostic[]> {
  const settings = connectorSettings(connector);
  if (settings === undefined) return [];
  const headersOf = headersOfPlan(connector, ports);
  try {
    const { environment, clock, logger } = ports;
    const refreshed = await refreshConnector(settings, {
      environment,
      clock,
      logger,
      signal,
      headersOf,
    });
    return refreshed.kind === 'failed' ? [refreshed.diagnostic] : [];
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    ports.logger.log('debug', 'gave up asking a connector', { reason: messageOf(thrown) });
    return [];
  }
}

/** Made as for a server: secrets are read and the helper is run, each time anew. */
function headersOfPlan(connector: ConfiguredConnector, ports: ConnectorPorts): HeadersOf {
  return async (_settings, why, signal) => {
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
    const reason = why === 'first' ? 'connect' : 'unauthorized';
    const prepared = await plan.value.prepare(signal, reason);
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
