// Derives the identity of a shared server: everything that decides which server it is, and for whom, goes into the name
// of the socket and into the proof, hashed with a key that only this user has. So the name reveals no secret, and only a
// client that has all of this is admitted.

import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { canonicalJson, ok, type Result } from '@plugboard/base';
import {
  createFileOnce,
  ensureSocketFolder,
  readOwnFile,
  type SocketProblem,
} from '../../platform/index.ts';
import type { SharedServer, StdioLaunch } from '../neutral/launch.ts';
import type { Root } from '../neutral/roots.ts';
import type { BrokerTerms, SharedIdentity } from './terms.ts';

export type SharedLaunch = StdioLaunch & { readonly shared: SharedServer };

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}$/;

export async function brokerTerms(
  launch: SharedLaunch,
  roots: readonly Root[] | undefined,
): Promise<Result<BrokerTerms, SocketProblem>> {
  const { kind: _, era: wanted, shared, ...process } = launch;
  const { folder, ledger, version, ...rest } = shared;
  // A host that passes messages on has no roots of its own to give.
  const grants = { ...shared.grants, roots: roots !== undefined };
  const safe = await ensureSocketFolder(folder);
  if (!safe.ok) return safe;
  const key = await keyIn(folder);
  if (!key.ok) return key;
  const era = wanted === 'modern' ? 'modern' : 'legacy';
  const identity: SharedIdentity = { ...process, era, roots, grants, ledger, version };
  const mac = (use: string): string =>
    createHmac('sha256', key.value)
      .update(`${use} ${canonicalJson(identity)}`)
      .digest('hex');
  const socket = join(folder, `${mac('name').slice(0, 32)}.sock`);
  return ok({ ...identity, ...rest, socket, proof: mac('proof') });
}

async function keyIn(folder: string): Promise<Result<string, SocketProblem>> {
  const path = join(folder, 'key');
  for (let tries = 0; tries < 2; tries += 1) {
    const read = await readOwnFile(path, { maxBytes: 1024 });
    if (read.ok && KEY.test(read.value)) return ok(read.value);
    if (!read.ok && read.error.kind !== 'missing') break;
    await createFileOnce(path, randomBytes(KEY_BYTES).toString('hex'));
  }
  return { ok: false, error: { kind: 'unusable', path, code: 'EINVAL' } };
}
