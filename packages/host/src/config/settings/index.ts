export { canonicalUrl, type CanonicalUrl } from './canonical-url.ts';
export type { WrittenHooks } from './hook-shape.ts';
export {
  type ChatSetting,
  type CodebaseSetting,
  IDENTITY_PROVIDER_EXAMPLE,
  OBJECT_SETTINGS,
  type ObjectSetting,
  type ObjectSettingKey,
  type ObjectSettingRow,
  type ObjectSettings,
  objectSettings,
  readObjectSettings,
  strongest,
} from './object-settings.ts';
export type { WrittenPermissionRule, WrittenPermissions } from './permission-shape.ts';
export { type PinSetting, readPinSetting } from './pin-setting.ts';
export {
  type PolicyFindings,
  type PolicyList,
  type PolicyRule,
  readPolicyLists,
  unreadablePolicy,
} from './policy-lists.ts';
export { type ConfiguredHook, type HookEvent, HOOKS_KEY, readHooks } from './read-hooks.ts';
export {
  type FlowMode,
  type PermissionEffect,
  type PermissionPredicate,
  type PermissionRule,
  PERMISSIONS_KEY,
  type PermissionSource,
  permissionTarget,
  readPermissions,
  ruleText,
  type WrittenSetting,
} from './read-permissions.ts';
export { parseUrlPattern, type UrlPattern } from './url-pattern.ts';
export { connectorShape, settingsShape } from './settings-shape.ts';
