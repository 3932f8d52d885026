// Tells apart what was learned from one server from what another one under the same name would say.
// Covers all that decides who answers and as whom: the program or the address, and the credentials.
// It is a hash, so that it can be a file's name and gives no secret away.

import { createHash } from 'node:crypto';
import {
  byForm,
  launchFields,
  type RemoteEntry,
  type ServerEntry,
  type StdioEntry,
} from '../config/index.ts';

/** `undefined` for a server of the program itself that may differ from run to run. `cwd` is the host's. */
export function fingerprintOf(entry: ServerEntry, cwd: string): string | undefined {
  return byForm(entry, {
    stdio: (local) => hashOf(ofProgram(local, cwd)),
    remote: (remote) => hashOf(ofAddress(remote, cwd)),
    sdk: ({ edition }) => (edition === undefined ? undefined : editionFingerprint(edition)),
  });
}

/** Of a server of the program itself that says that it is the same in every run. */
export function editionFingerprint(edition: string): string {
  return hashOf(['sdk', edition]);
}

function hashOf(facts: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify(facts))
    .digest('hex')
    .slice(0, FINGERPRINT_LENGTH);
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

/** Fields that are newer than stored fingerprints: those of servers without them stay the same. */
function stated(added: object): readonly unknown[] {
  const fields = Object.entries(added);
  return fields.length === 0 ? [] : [fields];
}

/** The order in which a file names them decides nothing. */
function ordered(values: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  return Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
