// Tells the user after an edit that another entry of the same name takes precedence.

import type { Context } from '../context.ts';
import { place } from '../print/place.ts';
import { serverRows } from '../print/servers.ts';
import { readConfigured } from './configured.ts';

export async function notePrecedence(
  { terminal }: Context,
  { name, file }: { readonly name: string; readonly file: string },
): Promise<void> {
  const configured = await readConfigured();
  const { environment } = configured;
  const strongest = serverRows(configured).find((row) => row.name === name);
  if (strongest === undefined) return;
  if (strongest.state === 'blocked') {
    terminal.err.write(`Note: "${name}" is blocked; see why: plugboard explain ${name}\n`);
  }
  if (strongest.origin.kind === 'file' && strongest.origin.file === file) return;
  terminal.err.write(`Note: "${name}" now comes from ${place(strongest.origin, environment)}.\n`);
}
