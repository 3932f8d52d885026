export { canonicalUrl, type CanonicalUrl } from './canonical-url.ts';
export { type ChatSetting, readChatSetting } from './chat-setting.ts';
export {
  CODEBASE_KEY,
  type CodebaseSetting,
  isLeftOut,
  readCodebaseSetting,
} from './codebase-setting.ts';
export { type DiscoverSetting, isDiscovered, readDiscoverSetting } from './discover-setting.ts';
export type { WrittenHooks } from './hook-shape.ts';
export {
  type GatewaySetting,
  IDENTITY_PROVIDER_EXAMPLE,
  type IdentityProviderSetting,
  type LimitsSetting,
  NO_OWN_SETTINGS,
  type OwnSettings,
  readOwnSettings,
} from './own-settings.ts';
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
