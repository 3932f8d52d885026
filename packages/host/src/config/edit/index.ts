export type { EditProblem } from './apply-edit.ts';
export { switchCodebase } from './edit-codebase.ts';
export { enableServer, setField, unsetField } from './edit-field.ts';
export { addServer, removeServer } from './edit-file.ts';
export {
  addPermissionRule,
  type RemovedRule,
  removePermissionRules,
  type RuleToAdd,
} from './edit-permissions.ts';
export { insertProperty, removeProperty, replaceValue } from './edit-text.ts';
export { writtenServers } from './written-servers.ts';
