export { type ForeignFile, foreignServers } from './foreign-servers.ts';
export {
  type ClientChange,
  type ClientProblem,
  planClient,
  presentHosts,
  writeClient,
} from './gateway-install.ts';
export { FOREIGN_HOSTS } from './hosts/all-hosts.ts';
export { claudeCode } from './hosts/claude-code.ts';
export type { ForeignHostId, ImportContext } from './hosts/foreign-host.ts';
export { type GatewayReach, isInstalledGateway } from './hosts/gateway-entry.ts';
export type { Note } from './hosts/note.ts';
export { plainSecrets } from './hosts/plain-secret.ts';
export { type ImportSource, planImport, type PlannedImport } from './plan-import.ts';
export { type PasteProblem, readPasted } from './read-pasted.ts';
