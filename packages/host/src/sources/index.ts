export { ideServers, isOfEditor } from './ide-servers.ts';
export {
  type BusyFile,
  type Configuration,
  type ConnectorSource,
  loadConfig,
  type LoadOptions,
} from './load-config.ts';
