export { checkUrl } from './check-url.ts';
export { decideKind, hasEffect, unusedKeys } from './entry-kind.ts';
export {
  callbackShapes,
  ENTRY_FIELDS,
  type EntryFields,
  entryShape,
  fieldsWhere,
  FLOW_MODES,
  headers,
  isFieldKey,
  milliseconds,
  notBlank,
  notEmpty,
  type WrittenEntry,
} from './entry-shape.ts';
export { HEADER_NAME, isHeaderValue } from './header-rule.ts';
export { readFields } from './read-fields.ts';
export type { CommonFields, RemoteEntry, ServerEntry, StdioEntry } from './server-entry.ts';
export {
  BUILT_IN_SERVERS,
  checkName,
  isNameInParts,
  isNamePart,
  NAME_PATTERN,
  PLAIN_NAME_PATTERN,
  plainName,
  READING_SERVERS,
} from './server-name.ts';
export { splitCommand, type SplitCommand, type SplitProblem } from './split-command.ts';
