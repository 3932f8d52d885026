export type { ConnectorProblem } from './connector-problem.ts';
export { type ConnectorSettings, connectorSettings } from './connector-settings.ts';
export { type ConnectorSource, storedLists } from './stored-lists.ts';
export { connectorFile, type ConnectorList, readConnectorCache } from './connector-store.ts';
export type { HeadersOf } from './fetch-connector.ts';
export type { ListedEntry } from './listed-entry.ts';
export type { ConnectorServer } from './read-list.ts';
export { type Refresh, refreshConnector, type RefreshPorts } from './refresh-connector.ts';
export { type ConfiguredConnector, readConnectors } from './read-connectors.ts';
