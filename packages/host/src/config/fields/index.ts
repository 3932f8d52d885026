export { checkUrl } from './check-url.ts';
export { decideKind, hasEffect, unusedKeys } from './entry-kind.ts';
export { FLOW_MODES } from './conduct-fields.ts';
export {
  type EntryFields,
  ENTRY_FIELDS,
  entryShape,
  FIELD_KEYS,
  isDefault,
  isDestination,
  isFieldKey,
  isIndispensable,
  isLaunch,
  isSecretField,
  isTarget,
  mergeRuleOf,
  rowOf,
  shownAs,
  type WrittenEntry,
} from './entry-fields.ts';
export type { MergeRule } from './field-row.ts';
export { callbackShapes } from './launch-fields.ts';
export { HEADER_NAME, isHeaderValue } from './launch-fields.ts';
export { readFields } from './read-fields.ts';
export {
  type CommonFields,
  byForm,
  entryTarget,
  type EntryTarget,
  type LaunchFields,
  launchFields,
  type RemoteEntry,
  type ServerEntry,
  type StdioEntry,
} from './server-entry.ts';
export {
  BUILT_IN_SERVERS,
  checkName,
  CODEBASE,
  isNameInParts,
  isNamePart,
  PLAIN_NAMES,
  plainName,
  SERVER_NAMES,
  UNASKED_TOOLS,
  WORKSPACE,
} from './server-name.ts';
export {
  ALL_TRANSPORTS,
  isLocalTransport,
  type TransportName,
  transportOf,
  typeForScheme,
} from './transports.ts';
export { splitCommand, type SplitCommand, type SplitProblem } from './split-command.ts';
