// `plugboard explain NAME`: shows every field of a server with its file and line, the overridden entries, and the rule that
// blocks the server. Values that may be secret are hidden.

import {
  type AdmittedServer,
  FIELD_KEYS,
  type FieldReport,
  isFieldKey,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { admissionWords } from '../print/admission-words.ts';
import { type Explanation, explanationText } from '../print/explanation.ts';
import { fieldTitle, fieldValue } from '../print/field-value.ts';
import { printJson } from '../print/json.ts';
import { serverRows } from '../print/servers.ts';
import { type CommandConfiguration, readConfigured, unknownServer } from './configured.ts';

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

/** Includes servers whose entry cannot be used. */
function explanationOf(name: string, configured: CommandConfiguration): Explanation | undefined {
  const { configuration } = configured;
  const row = serverRows(configured).find((candidate) => candidate.name === name);
  const server = configuration.servers.find((candidate) => candidate.name === name);
  const rejected = configuration.rejected.find((candidate) => candidate.name === name);
  const sources = (server ?? rejected)?.sources;
  if (row === undefined || sources === undefined) return undefined;
  return {
    name,
    state: row.state,
    admission: server?.admission,
    fields: configuration.explain(name).toSorted((a, b) => positionOf(a) - positionOf(b)),
    sources,
    writtenAs: (server ?? rejected)?.writtenAs,
  };
}

/** In the order in which people write them: first what is started or reached. Unknown fields come last. */
function positionOf({ path: [field] }: FieldReport): number {
  return isFieldKey(field) ? FIELD_KEYS.indexOf(field) : FIELD_KEYS.length;
}

/** The document of `explain --json`. */
function documentOf(
  { name, state, admission, fields, sources }: Explanation,
  { environment }: CommandConfiguration,
): object {
  return {
    name,
    state,
    because:
      admission === undefined ? null : (admissionWords(name, admission, environment) ?? null),
    admission: admission === undefined ? null : shownAdmission(admission),
    fields: fields.map(({ path, value, rule, from, lost }) => {
      const statement = (source: FieldReport['from'][number]) => ({
        value: fieldValue(path, source.value),
        scope: source.scope,
        origin: source.origin,
      });
      return {
        field: fieldTitle(path),
        value: from.length === 0 ? null : fieldValue(path, value),
        rule,
        from: from.map(statement),
        lost: lost.map((source) => ({ ...statement(source), why: source.why })),
      };
    }),
    sources: sources.map(({ author: _, ...source }) => source),
  };
}

/** Without the subject of the approval, which contains values that the fields hide. */
function shownAdmission(admission: AdmittedServer['admission']): object {
  if (admission.kind !== 'untrusted') return admission;
  return { kind: admission.kind, standing: admission.standing };
}
