export { closestName } from './closest-name.ts';
export type { Diagnostic } from './diagnostic.ts';
export { addServer, type EditProblem, removeServer } from './edit-file.ts';
export { ideServers } from './ide-servers.ts';
export type { Origin, Scope } from './scope.ts';
export type {
  ConfiguredServer,
  FieldReport,
  RejectedServer,
  SourceReport,
} from './configured-server.ts';
export { type Configuration, loadConfig } from './load-config.ts';
export type { CommonFields, ServerEntry } from './server-entry.ts';
export { BUILT_IN_SERVERS } from './server-name.ts';
export { EDITABLE_SCOPES, type EditableScope, targetFile } from './target-file.ts';
