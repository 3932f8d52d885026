export { closestName } from './closest-name.ts';
export type { Diagnostic, DiagnosticCode, Position } from './diagnostic.ts';
export { addServer, type AddOptions, type EditProblem, removeServer } from './edit-file.ts';
export { type Origin, precedence, type Scope } from './scope.ts';
export {
  type Configuration,
  type ConfiguredServer,
  type FileReport,
  loadConfig,
  type LoadOptions,
  type RejectedServer,
  type Shadowed,
} from './load-config.ts';
export type { ConfigFile } from './locate-files.ts';
export type { Resolution } from './resolve-entry.ts';
export type {
  CommonFields,
  RemoteEntry,
  SdkEntry,
  ServerEntry,
  StdioEntry,
} from './server-entry.ts';
export { BUILT_IN_SERVERS, checkName } from './server-name.ts';
export { EDITABLE_SCOPES, type EditableScope, targetFile } from './target-file.ts';
