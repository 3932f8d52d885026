export { Authorizations, type RemoteServer } from './authorizations.ts';
export type { Browser, BrowserProblem, BrowserVisit, BrowserWish } from './browser.ts';
export type { CredentialStore } from './credential-store.ts';
export { memoryCredentials } from './memory-credentials.ts';
export { vaultCredentials } from './vault-credentials.ts';
