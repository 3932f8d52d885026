export { ideServers, isOfEditor } from './ide-servers.ts';
export { type BusyFile, type Configuration, loadConfig, type LoadOptions } from './load-config.ts';
