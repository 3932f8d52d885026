// Approves a server that the user adds by command, since the user typed what it runs. If another file of the folder
// contributes to the entry, the server is not approved, and the user sees why.

import {
  approve,
  type FieldReport,
  hasForeignSay,
  isForeign,
  type Origin,
  readTrust,
  trustSubject,
  type TrustSubject,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { fieldTitle } from '../print/field-value.ts';
import { place } from '../print/place.ts';
import { visible } from '../print/visible.ts';
import { type CommandConfiguration, readConfigured } from './configured.ts';
import { withheldNote } from './handover.ts';

export interface OwnEdit {
  readonly name: string;
  readonly file: string;
  /** `entry`: a whole entry was written. `switch`: only the field `disabled`. */
  readonly wrote: 'entry' | 'switch';
}

export async function approveOwnEdit(context: Context, edit: OwnEdit): Promise<void> {
  const configured = await readConfigured();
  const { configuration, environment } = configured;
  const server = configuration.servers.find(({ name }) => name === edit.name);
  if (server?.admission.kind !== 'untrusted') return;
  const subject = await trustSubject(server, configured);
  if (subject === undefined) return;
  const fields = configuration.explain(edit.name);
  const judged = (await isOnlySwitch(subject, edit, configured)) ? fields.filter(isSwitch) : fields;
  const others = foreignFields(judged, edit);
  const filled = edit.wrote === 'entry' ? Object.keys(subject.launch.envFileValues ?? {}) : [];
  const isOwn = others.length + filled.length === 0;
  const approved = isOwn ? await approve(environment, subject) : undefined;
  if (context.isJson) return;
  const { err } = context.terminal;
  if (approved?.ok === true) {
    err.write(withheldNote(server, []));
    return;
  }
  for (const { path, origin } of others) {
    const where = visible(place(origin, environment));
    err.write(`Note: its ${visible(fieldTitle(path))} comes from ${where}.\n`);
  }
  if (filled.length > 0) {
    const file = visible(subject.launch.envFile ?? '');
    err.write(`Note: ${file} sets ${filled.map(visible).join(', ')}.\n`);
  }
  err.write(`It starts once you trust it: plugboard trust ${edit.name}\n`);
}

interface FieldOrigin {
  readonly path: FieldReport['path'];
  readonly origin: Origin;
}

/** The fields from other files of the folder that affect what is started. */
function foreignFields(fields: readonly FieldReport[], edit: OwnEdit): readonly FieldOrigin[] {
  return fields.flatMap((field) =>
    field.from
      .filter(({ origin, author }) => {
        const isHere = origin.kind === 'file' && origin.file === edit.file;
        if (isSwitch(field)) return !isHere && isForeign(author);
        const { path } = field;
        return hasForeignSay({ path, author }) && (edit.wrote === 'switch' || !isHere);
      })
      .map(({ origin }) => ({ path: field.path, origin })),
  );
}

function isSwitch({ path: [field] }: FieldReport): boolean {
  return field === 'disabled';
}

/** Whether the server was already approved except for being enabled. */
async function isOnlySwitch(
  subject: TrustSubject,
  edit: OwnEdit,
  { environment }: CommandConfiguration,
): Promise<boolean> {
  if (edit.wrote !== 'switch') return false;
  const { isTurnedOn: _on, ...launch } = subject.launch;
  const trust = await readTrust(environment);
  return (await trust.standingOf({ ...subject, launch })).kind === 'approved';
}
