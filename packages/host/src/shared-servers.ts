// Servers that hosts of this user share, as a separate entrance: which of them run now, and ending them. It loads
// nothing that talks to servers.

export { socketFolderOf } from './platform/index.ts';
export { type RunningBroker, runningBrokers, stopBroker } from './protocol/index.ts';
