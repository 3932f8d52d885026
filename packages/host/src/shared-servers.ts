// Lists and ends the servers that hosts of this user share, as a separate entrance. It does not load the client of
// servers.

export { socketFolderOf } from './platform/index.ts';
export { type RunningBroker, runningBrokers, stopBroker } from './protocol/index.ts';
