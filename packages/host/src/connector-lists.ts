// The lists of connectors, as a separate entrance: reading a stored list does not load the client of servers, only
// refreshing one does.

export {
  type ConnectorList,
  type ConnectorProblem,
  type ConnectorServer,
  type ConnectorSettings,
  type HeadersOf,
  type ListedEntry,
  readConnectorCache,
  type Refresh,
  refreshConnector,
  type RefreshPorts,
} from './connectors/index.ts';
