// What connectors list, as a separate entrance: reading what they listed last loads nothing that talks to servers;
// refreshing it does, when it comes to that.

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
