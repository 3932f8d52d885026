export { Authorizations, type RemoteServer } from './authorizations.ts';
export type { Browser, BrowserProblem, BrowserVisit, BrowserWish } from './browser.ts';
export type { CredentialStore } from './credential-store.ts';
export { loopbackBrowser, type LoopbackOptions } from './loopback-browser.ts';
export type { DevicePrompt, LoginWay } from './login-way.ts';
export { memoryCredentials } from './memory-credentials.ts';
export { pastedRedirect, type PastedRedirectOptions } from './pasted-redirect.ts';
export { vaultCredentials } from './vault-credentials.ts';
