// The secrets of a gateway: the token that its clients send, the token of the user's own commands, and the key of its
// states. Each is created at the first start, stored in a file that only the user can read, and never printed.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type HostEnvironment, keptSecret } from '@plugboard/host/configuration';
import type { Standpoint } from '../print/place.ts';
import { tokenError } from '../print/gateway-words.ts';
import { UsageError } from '../usage-error.ts';

const SECRET_BYTES = 32;

export function tokenFile({ paths }: Pick<HostEnvironment, 'paths'>): string {
  return join(paths.state, 'gateway', 'token');
}

export async function gatewayToken(file: string, from: Standpoint): Promise<string> {
  const token = await storedSecret(file, 'base64url', from);
  if (isToken(token)) return token;
  throw new UsageError(
    'the token is not one that a header can carry, or too short',
    'write 16 to 512 of A-Z a-z 0-9 . _ ~ + / = - into its file, or remove the file',
  );
}

/** As the gateway reads it from a header. */
export function isToken(text: string): boolean {
  return /^[\w~+/.=-]{16,512}$/.test(text);
}

/** Gives access to the console only. Clients of the gateway have another token. */
export function consoleToken(environment: HostEnvironment): Promise<string> {
  const file = join(environment.paths.state, 'gateway', 'console-token');
  return storedSecret(file, 'base64url', environment);
}

/** The key with which the gateway seals states. It must survive a restart, or old states would be rejected. */
export async function sealKey(environment: HostEnvironment): Promise<Buffer> {
  const file = join(environment.paths.state, 'gateway', 'key');
  const key = await storedSecret(file, 'hex', environment);
  if (/^[0-9a-f]{64}$/.test(key)) return Buffer.from(key, 'hex');
  throw tokenError({ kind: 'empty', path: file }, environment);
}

async function storedSecret(
  file: string,
  encoding: 'base64url' | 'hex',
  from: Standpoint,
): Promise<string> {
  const secret = await keptSecret(file, () => randomBytes(SECRET_BYTES).toString(encoding));
  if (secret.ok) return secret.value;
  throw tokenError(secret.error, from);
}
