// Identifies a server, so that stored data is not used for another server with the same name. Covers everything that
// decides which server answers and as whom: the program or the address, and the credentials. It is a hash, so that it
// can be a file name and reveals no secret.

import { hash } from 'node:crypto';
import {
  byForm,
  launchFields,
  type RemoteEntry,
  type ServerEntry,
  type StdioEntry,
} from '../config/index.ts';

/** `undefined` for a server in this process without an edition. `cwd` is the host's folder. */
export function fingerprintOf(entry: ServerEntry, cwd: string): string | undefined {
  return byForm(entry, {
    stdio: (local) => hashOf(ofProgram(local, cwd)),
    remote: (remote) => hashOf(ofAddress(remote, cwd)),
    sdk: ({ edition }) => (edition === undefined ? undefined : editionFingerprint(edition)),
  });
}

/** The fingerprint of a server in this process that states its edition, so that it is the same in later runs. */
export function editionFingerprint(edition: string): string {
  return hashOf(['sdk', edition]);
}

function hashOf(facts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(facts), 'hex').slice(0, FINGERPRINT_LENGTH);
}

const FINGERPRINT_LENGTH = 40;

function ofProgram(entry: StdioEntry, cwd: string): readonly unknown[] {
  const { type, cwd: folder = cwd, ...fields } = launchFields(entry);
  const { command, args, env = {}, envFile = null, ...added } = fields;
  const facts = [type, command, args, ordered(env), folder, envFile, ...stated(added)];
  return entry.programFolder === undefined ? facts : [...facts, entry.programFolder];
}

function ofAddress(entry: RemoteEntry, cwd: string): readonly unknown[] {
  const { type, cwd: folder = cwd, ...fields } = launchFields(entry);
  const { url, headers = {}, headersHelper = null, oauth = null, ...added } = fields;
  const facts = [type, url, ordered(headers), headersHelper, oauth, ...stated(added)];
  return headersHelper === null ? facts : [...facts, folder, entry.programFolder ?? null];
}

/** Fields that were added later: fingerprints of servers without them must not change. */
function stated(added: object): readonly unknown[] {
  const fields = Object.entries(added);
  return fields.length === 0 ? [] : [fields];
}

/** Does not depend on the order in the file. */
function ordered(values: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  return Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
