export { Authorizations } from './authorizations.ts';
export type { Browser, BrowserProblem, BrowserVisit, BrowserWish } from './browser.ts';
export type { CredentialStore } from './credential-store.ts';
export { loopbackBrowser, type LoopbackOptions } from './loopback-browser.ts';
export type { DevicePrompt, LoginWay } from './login-way.ts';
export { eitherRedirect, type EitherRedirectOptions } from './either-redirect.ts';
export type { ImportProblem } from './import-credential.ts';
export { memoryCredentials } from './memory-credentials.ts';
export { pastedRedirect, type PastedRedirectOptions } from './pasted-redirect.ts';
export { refusalFiles } from './refusal-files.ts';
export type { RefusalMemory } from './refusal-memory.ts';
export { refusalsInMemory } from './refusals-in-memory.ts';
export type { Revocation } from './revoke.ts';
export {
  type KnownSignIns,
  knownSignIns,
  type SignInFacts,
  type SignInGrant,
  type StatusProblem,
} from './sign-in-status.ts';
export { vaultCredentials } from './vault-credentials.ts';
