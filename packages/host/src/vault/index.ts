export { memorySecrets } from './memory-secrets.ts';
export { secretStore } from './own-secrets.ts';
export { isSecretName, type SecretProblem, type SecretStore } from './secret-store.ts';
