// Whoever adds a server by command has approved it: they typed what it runs. That counts only as far as
// they wrote it themselves: where another file in the folder has a word in it too, they are told.

import {
  approve,
  type FieldReport,
  type Origin,
  trustSubject,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { fieldTitle } from '../print/field-value.ts';
import { place } from '../print/place.ts';
import { readConfigured } from './configured.ts';

export interface OwnEdit {
  readonly name: string;
  readonly file: string;
  /** A whole entry was written, or only whether it is disabled. */
  readonly wrote: 'entry' | 'switch';
}

export async function approveOwnEdit(context: Context, edit: OwnEdit): Promise<void> {
  const { configuration, environment } = await readConfigured();
  const server = configuration.servers.find(({ name }) => name === edit.name);
  if (server?.admission.kind !== 'untrusted') return;
  const subject = trustSubject(server, configuration);
  if (subject === undefined) return;
  const others = notWritten(configuration.explain(edit.name), edit);
  const approved = others.length === 0 ? await approve(environment, subject) : undefined;
  if (approved?.ok === true || context.isJson) return;
  const { err } = context.terminal;
  for (const { path, origin } of others) {
    err.write(`Note: its ${fieldTitle(path)} comes from ${place(origin, environment)}.\n`);
  }
  err.write(`It starts once you trust it: plugboard trust ${edit.name}\n`);
}

interface Stated {
  readonly path: FieldReport['path'];
  readonly origin: Origin;
}

/** What has a say in starting it, lies in the folder, and is not of this edit. */
function notWritten(fields: readonly FieldReport[], edit: OwnEdit): readonly Stated[] {
  return fields.flatMap(({ path, from }) =>
    from
      .filter(({ scope }) => scope === 'local' || scope === 'project' || scope === 'plugin')
      .filter(({ origin }) => {
        const isHere = origin.kind === 'file' && origin.file === edit.file;
        if (path[0] === 'disabled') return !isHere;
        return LAUNCH.has(String(path[0])) && (edit.wrote === 'switch' || !isHere);
      })
      .map(({ origin }) => ({ path, origin })),
  );
}

const LAUNCH: ReadonlySet<string> = new Set([
  'type',
  'command',
  'args',
  'env',
  'cwd',
  'envFile',
  'url',
  'headers',
  'headersHelper',
  'oauth',
]);
