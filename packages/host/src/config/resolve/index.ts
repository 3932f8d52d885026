export { withEnvFile } from './env-file.ts';
export { hasPlaceholder, type Lookup, namesIn } from './expand.ts';
export { type Resolution, resolveEntry } from './resolve-entry.ts';
export {
  fillSecrets,
  markOf,
  type NeededSecret,
  SECRET_NAME,
  secretDiagnostic,
  secretsIn,
  unfitSecrets,
  withSecretsAsWritten,
} from './secret-marks.ts';
export {
  IN_PROJECT,
  programPath,
  PROJECT_VARIABLE,
  startFolder,
  type StartFolders,
  writtenFolder,
} from './start-folder.ts';
