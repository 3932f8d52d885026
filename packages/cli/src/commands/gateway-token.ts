// The token that clients of the gateway send. It is made at the first start, kept in a file that only the user can read,
// and never printed.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type HostEnvironment, keptSecret } from '@plugboard/host/configuration';
import { tokenError } from '../print/gateway-words.ts';
import { UsageError } from '../usage-error.ts';

const TOKEN_BYTES = 32;

export function tokenFile({ paths }: Pick<HostEnvironment, 'paths'>): string {
  return join(paths.state, 'gateway', 'token');
}

export async function gatewayToken(
  file: string,
  from: Pick<HostEnvironment, 'cwd' | 'home'>,
): Promise<string> {
  const token = await keptSecret(file, () => randomBytes(TOKEN_BYTES).toString('base64url'));
  if (!token.ok) throw tokenError(token.error, from);
  if (isToken(token.value)) return token.value;
  throw new UsageError(
    'the token is not one that a header can carry, or too short',
    'write 16 to 512 of A-Z a-z 0-9 . _ ~ + / = - into its file, or remove the file',
  );
}

/** As the gateway reads it from a header. */
export function isToken(text: string): boolean {
  return /^[\w~+/.=-]{16,512}$/.test(text);
}

/** What the gateway seals states with: with the same key it knows them again after a restart. */
export async function sealKey({ paths, ...from }: HostEnvironment): Promise<Buffer> {
  const file = join(paths.state, 'gateway', 'key');
  const key = await keptSecret(file, () => randomBytes(TOKEN_BYTES).toString('hex'));
  if (!key.ok) throw tokenError(key.error, from);
  if (/^[0-9a-f]{64}$/.test(key.value)) return Buffer.from(key.value, 'hex');
  throw tokenError({ kind: 'empty', path: file }, from);
}
