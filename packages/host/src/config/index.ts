export { type CanonicalUrl, canonicalUrl, DEFAULT_PORTS } from './canonical-url.ts';
export { closestName } from './closest-name.ts';
export { hasEffect } from './entry-kind.ts';
export { isFieldKey } from './entry-shape.ts';
export { isDestination, isLaunch } from './field-slots.ts';
export { namesIn } from './expand.ts';
export { plainSecrets } from './foreign/plain-secret.ts';
export { IDENTITY_PROVIDER_EXAMPLE, type IdentityProviderSetting } from './own-settings.ts';
export { HEADER_NAME, isHeaderValue } from './header-rule.ts';
export { type Diagnostic, givenPosition, type Position } from './diagnostic.ts';
export type { FieldPath } from './field-path.ts';
export type { EditProblem } from './apply-edit.ts';
export { enableServer, setField, unsetField } from './edit-field.ts';
export type { ChatSetting } from './chat-setting.ts';
export { type CodebaseSetting, isLeftOut } from './codebase-setting.ts';
export { switchCodebase } from './edit-codebase.ts';
export {
  addPermissionRule,
  removePermissionRules,
  type RemovedRule,
  type RuleToAdd,
} from './edit-permissions.ts';
export { addServer, removeServer } from './edit-file.ts';
export { FOREIGN_HOSTS } from './foreign/all-hosts.ts';
export type { ForeignHostId } from './foreign/foreign-host.ts';
export type { Note } from './foreign/note.ts';
export { type ForeignFile, foreignServers } from './foreign-servers.ts';
export { ideServers, isOfEditor } from './ide-servers.ts';
export type {
  ConfiguredServer,
  FieldReport,
  RejectedServer,
  SourceReport,
} from './configured-server.ts';
export {
  type BusyFile,
  type Configuration,
  type ConnectorSource,
  loadConfig,
  type LoadOptions,
} from './load-config.ts';
export type { PinSetting } from './pin-setting.ts';
export type { ConfiguredConnector } from './read-connectors.ts';
export type { ConfiguredHook, HookEvent } from './read-hooks.ts';
export type { WrittenEntry } from './entry-shape.ts';
export type { WrittenHooks } from './hook-shape.ts';
export type { WrittenPermissions } from './permission-shape.ts';
export type {
  FlowMode,
  PermissionPredicate,
  PermissionRule,
  PermissionSource,
} from './read-permissions.ts';
export type { PolicyList, PolicyRule } from './policy-lists.ts';
export { type Origin, precedence, type Scope } from './scope.ts';
export {
  fillSecrets,
  markOf,
  type NeededSecret,
  secretDiagnostic,
  secretsIn,
  unfitSecrets,
  withSecretsAsWritten,
} from './secret-marks.ts';
export type { PluginServer } from './plugin-server.ts';
export {
  bundleQuestions,
  configurePlugin,
  installPlugin,
  removePlugin,
  stagePlugin,
} from './plugin-actions.ts';
export type { ConfigureProblem } from './configure-plugin.ts';
export type { PluginSecrets } from './plugin-secrets.ts';
export type { PluginSource, ReadPlugin } from './plugin-source.ts';
export { pluginSources, readPlugins } from './plugin-sources.ts';
export type { Answer, Question } from './plugins/question.ts';
export type {
  InstalledPlugin,
  InstallProblem,
  StagedPlugin,
  StageProblem,
} from './stage-plugin.ts';
export type { CommonFields, ServerEntry, StdioEntry } from './server-entry.ts';
export { type PasteProblem, readPasted } from './read-pasted.ts';
export {
  BUILT_IN_SERVERS,
  checkName,
  isNamePart,
  plainName,
  READING_SERVERS,
} from './server-name.ts';
export {
  IN_PROJECT,
  programPath,
  PROJECT_VARIABLE,
  startFolder,
  type StartFolders,
  writtenFolder,
} from './start-folder.ts';
export { splitCommand, type SplitCommand, type SplitProblem } from './split-command.ts';
export {
  EDITABLE_SCOPES,
  type EditableScope,
  settingsFile,
  targetFile,
  userSettingsFile,
} from './target-file.ts';
export { parseUrlPattern, type UrlPattern } from './url-pattern.ts';
export { type ImportSource, type PlannedImport, planImport } from './plan-import.ts';
export { writtenServers } from './written-servers.ts';
