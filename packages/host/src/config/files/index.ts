export {
  enterpriseFiles,
  folderOfFile,
  type FolderWalk,
  formatOf,
  locateFiles,
  projectFolders,
  projectRoot,
} from './locate-files.ts';
export {
  CONNECTORS_KEY,
  isSetting,
  type ParsedFile,
  parseFile,
  SERVERS_KEY,
  type WrittenServer,
} from './parse-file.ts';
export { fileDiagnostic, MAX_FILE_BYTES, readConfigFile, type ReadFile } from './read-file.ts';
export {
  EDITABLE_SCOPES,
  type EditableScope,
  settingsFile,
  targetFile,
  userSettingsFile,
} from './target-file.ts';
