// The stores of the user's sign-ins: tokens in the store of secrets, and refusals in files.

import { join } from 'node:path';
import type { Clock, Logger } from '@plugboard/base';
import {
  type CredentialStore,
  refusalFiles,
  type RefusalMemory,
  vaultCredentials,
} from '../auth/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import type { SecretStore } from '../vault/index.ts';

export function ownCredentials(
  environment: HostEnvironment,
  secrets: SecretStore,
  clock: Clock,
): CredentialStore {
  return vaultCredentials({ secrets, folder: folderOf(environment), clock });
}

export function ownRefusals(
  environment: HostEnvironment,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): RefusalMemory {
  return refusalFiles({ folder: join(folderOf(environment), 'refusals'), clock, logger });
}

function folderOf({ paths }: HostEnvironment): string {
  return join(paths.state, 'auth');
}
