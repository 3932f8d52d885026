export type { ConnectorProblem } from './connector-problem.ts';
export type { ConnectorSettings } from './connector-settings.ts';
export { connectorFile, type ConnectorList, readConnectorCache } from './connector-store.ts';
export type { HeadersOf } from './fetch-connector.ts';
export type { ListedEntry } from './listed-entry.ts';
export type { ConnectorServer } from './read-list.ts';
export { type Refresh, refreshConnector, type RefreshPorts } from './refresh-connector.ts';
export {
  type ConfiguredConnector,
  type ReadConnectors,
  readConnectors,
} from './read-connectors.ts';
