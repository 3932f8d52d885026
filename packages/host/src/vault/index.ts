export type { OwnSecrets } from './file-secrets.ts';
export type { KeychainProblem } from './keychain.ts';
export { memorySecrets } from './memory-secrets.ts';
export { secretStore } from './own-secrets.ts';
export type { StoreInUse } from './secret-keys.ts';
export { isSecretName, type SecretProblem, type SecretStore } from './secret-store.ts';
export { userSecrets } from './user-secrets.ts';
