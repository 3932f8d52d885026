// `plugboard explain NAME`: every field of a server with the file and line it comes from, every entry
// that lost, and any rule that hides the server. Values that may be secret are not shown.

import type { Origin, Scope } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { admissionWords, type Explanation, explanationText } from '../print/explanation.ts';
import { fieldTitle, fieldValue } from '../print/field-value.ts';
import { printJson } from '../print/json.ts';
import { type Configured, readConfigured, unknownServer } from './configured.ts';

export async function explain(context: Context, name: string): Promise<ExitCode> {
  const configured = await readConfigured(context);
  const { environment, diagnostics } = configured;
  const explanation = explanationOf(name, configured);
  if (explanation === undefined) throw unknownServer(name, configured);
  const own = diagnostics.filter(({ server }) => server === name);
  if (context.isJson) {
    printJson(context, { ...documentOf(explanation, configured), diagnostics: own });
    return EXIT.ok;
  }
  const { out, err } = context.terminal;
  writeDiagnostics(err, own, environment);
  out.write(explanationText(explanation, out, environment));
  return EXIT.ok;
}

/** A server whose entry cannot be used is explained too; it often needs it most. */
function explanationOf(name: string, configured: Configured): Explanation | undefined {
  const { configuration, rows } = configured;
  const row = rows.find((candidate) => candidate.name === name);
  const server = configuration.servers.find((candidate) => candidate.name === name);
  const rejected = configuration.rejected.find((candidate) => candidate.name === name);
  const sources = (server ?? rejected)?.sources;
  if (row === undefined || sources === undefined) return undefined;
  return {
    name,
    state: row.state,
    admission: server?.admission,
    fields: configuration.explain(name),
    sources,
  };
}

interface Place {
  readonly scope: Scope;
  readonly origin: Origin;
}

/** What `explain --json` prints. */
function documentOf(
  { name, state, admission, fields, sources }: Explanation,
  { environment }: Configured,
): object {
  const said = (
    { scope, origin }: Place,
    path: (typeof fields)[number]['path'],
    value: unknown,
  ) => ({
    value: fieldValue(path, value),
    scope,
    origin,
  });
  return {
    name,
    state,
    because:
      admission === undefined ? null : (admissionWords(name, admission, environment) ?? null),
    fields: fields.map(({ path, rule, from, lost }) => ({
      field: fieldTitle(path),
      rule,
      from: from.map((source) => said(source, path, source.value)),
      lost: lost.map((source) => ({ ...said(source, path, source.value), why: source.why })),
    })),
    sources,
  };
}
