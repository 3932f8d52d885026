// Updates the stored list of one connector. If that fails, the previous list remains valid and the problem is
// returned, so that the servers of an unreachable connector do not disappear.

import { type Logger, messageOf, silentLogger } from '@plugboard/base';
import type { Diagnostic } from '../config/index.ts';
import { type HostEnvironment, networkSettings } from '../platform/index.ts';
import { type ConnectorProblem, describeProblem } from './connector-problem.ts';
import type { ConnectorSettings } from './connector-settings.ts';
import { type ConnectorList, readConnectorCache, storeAnswer } from './connector-store.ts';
import { fetchConnector, type FetchPorts } from './fetch-connector.ts';
import { readList } from './read-list.ts';

export interface RefreshPorts extends Omit<FetchPorts, 'network'> {
  readonly environment: HostEnvironment;
  readonly logger?: Logger;
}

export type Refresh =
  | { readonly kind: 'refreshed'; readonly list: ConnectorList }
  | {
      readonly kind: 'failed';
      readonly problem: ConnectorProblem;
      /** The problem in words. */
      readonly diagnostic: Diagnostic;
      /** The previous list, which remains valid. */
      readonly stored: ConnectorList | undefined;
    };

/** Rejects only with the reason of the signal. */
export async function refreshConnector(
  settings: ConnectorSettings,
  ports: RefreshPorts,
): Promise<Refresh> {
  const { environment, clock, logger = silentLogger } = ports;
  const network = networkSettings(environment);
  const answer = await fetchConnector(settings, { ...ports, network });
  if (!answer.ok) return failed(settings, environment, answer.error);
  const read = readList(answer.value, settings);
  if (read === undefined) return failed(settings, environment, { kind: 'wrong-shape' });
  const at = clock.now();
  try {
    await storeAnswer(settings, environment, { answer: answer.value, at });
  } catch (thrown) {
    logger.log('warn', 'could not keep what a connector lists', { reason: messageOf(thrown) });
  }
  return { kind: 'refreshed', list: { connector: settings.name, at, ...read } };
}

async function failed(
  settings: ConnectorSettings,
  environment: HostEnvironment,
  problem: ConnectorProblem,
): Promise<Refresh> {
  const stored = await readConnectorCache(settings, environment);
  const { message, ...rest } = describeProblem(problem, settings);
  const kept =
    stored === undefined
      ? message
      : `${message} What it listed on ${new Date(stored.at).toISOString().slice(0, 10)} still counts.`;
  return { kind: 'failed', problem, diagnostic: { ...rest, message: kept }, stored };
}
