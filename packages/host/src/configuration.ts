// The part of the library that reads and edits configuration, as an entrance of its own: a program
// that starts no server need not load what talks to servers.

export {
  addServer,
  BUILT_IN_SERVERS,
  closestName,
  type Configuration,
  type ConfiguredServer,
  type Diagnostic,
  EDITABLE_SCOPES,
  type EditableScope,
  type EditProblem,
  type FieldReport,
  loadConfig,
  type Origin,
  type RejectedServer,
  removeServer,
  type Scope,
  type ServerEntry,
  type SourceReport,
  targetFile,
} from './config/index.ts';
export {
  type FileProblem,
  findProgram,
  type FoundProgram,
  type HostEnvironment,
  hostEnvironment,
  readTextFile,
} from './platform/index.ts';
export {
  isSecretName,
  memorySecrets,
  type SecretProblem,
  type SecretStore,
  secretStore,
} from './vault/index.ts';
