// `plugboard labels [SERVER|SERVER/TOOL]`: shows the labels that say what tools do with data. They decide which calls need
// approval once a model has read private data and foreign text. With --set or --reset, first writes the labels of one tool
// into the user's settings.

import {
  BUILT_IN_SERVERS,
  setField,
  settingsFile,
  unsetField,
} from '@plugboard/host/configuration';
import { flowSettings, type Label, LABELS, labelsOfTool } from '@plugboard/host/decisions';
import { knownTools } from '@plugboard/host/known-tools';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { printJson } from '../print/json.ts';
import { type LabelRow, labelsTable } from '../print/labels.ts';
import { shortPath } from '../print/place.ts';
import { UsageError } from '../usage-error.ts';
import { type CommandConfiguration, readConfigured, unknownServer } from './configured.ts';
import { editError } from './edit.ts';

export interface LabelsRequest {
  /** A server, or server/tool. All tools if omitted. */
  readonly about: string | undefined;
  readonly set: string | undefined;
  readonly reset: boolean;
}

interface LabelSubject {
  readonly server: string | undefined;
  readonly tool: string | undefined;
}

export async function labels(context: Context, request: LabelsRequest): Promise<ExitCode> {
  const before = await readConfigured(context);
  const subject = subjectOf(request.about, before);
  const isEdit = request.set !== undefined || request.reset;
  if (isEdit) await write(context, { subject, request, configured: before });
  return show(context, subject, isEdit ? await readConfigured(context) : before);
}

function subjectOf(about: string | undefined, configured: CommandConfiguration): LabelSubject {
  if (about === undefined) return { server: undefined, tool: undefined };
  const [server = '', ...rest] = about.split('/');
  const isKnown = configured.configuration.servers.some(({ name }) => name === server);
  if (!isKnown && !BUILT_IN_SERVERS.includes(server)) throw unknownServer(server, configured);
  return { server, tool: rest.length === 0 ? undefined : rest.join('/') };
}

interface LabelEdit {
  readonly subject: LabelSubject;
  readonly request: LabelsRequest;
  readonly configured: CommandConfiguration;
}

async function write(
  context: Context,
  { subject: { server, tool }, request, configured }: LabelEdit,
): Promise<void> {
  if (server === undefined || tool === undefined) {
    throw new UsageError(
      'labels are set for one tool, or for a pattern of tools',
      'name it: plugboard labels mail/send_mail --set out',
    );
  }
  if (BUILT_IN_SERVERS.includes(server)) {
    throw new UsageError(
      `the labels of the built-in server "${server}" are fixed`,
      'allow a call with a rule instead: see "flow" in docs/permissions.md',
    );
  }
  if (request.set !== undefined && request.reset) {
    throw new UsageError('--set and --reset cannot be combined', 'give one of them');
  }
  const { environment } = configured;
  const file = await settingsFile(environment, 'user');
  const field = { file, name: server, path: ['permissions', 'labels', tool] } as const;
  const written =
    request.set === undefined
      ? await unsetField(field)
      : await setField({ ...field, value: labelsIn(request.set) });
  if (!written.ok) throw editError(written.error, { name: server, file, from: environment });
  if (context.isJson) return;
  const shown = shortPath(file, environment);
  const what = request.set === undefined ? 'Removed the labels' : 'Wrote the labels';
  context.terminal.err.write(
    written.value.kind === 'unchanged'
      ? `${shown} says so already.\n`
      : `${what} of ${server}/${tool}: ${shown}\n`,
  );
}

function labelsIn(text: string): readonly Label[] {
  const words = text.split(/[\s,]+/u).filter((word) => word !== '' && word !== 'none');
  const unknown = words.find((word) => !LABELS.some((label) => label === word));
  if (unknown !== undefined) {
    throw new UsageError(
      `"${unknown}" is not a label`,
      `use ${LABELS.join(', ')}, separated by commas, or none`,
    );
  }
  return LABELS.filter((label) => words.includes(label));
}

async function show(
  context: Context,
  { server, tool }: LabelSubject,
  { configuration, environment }: CommandConfiguration,
): Promise<ExitCode> {
  const settings = flowSettings(configuration, { trust: context.trust, flow: 'ask' });
  const known = await knownTools(environment, configuration.servers, configuration.pins);
  const rows: readonly LabelRow[] = known.tools
    .filter((one) => server === undefined || one.server === server)
    .filter((one) => tool === undefined || one.tool === tool)
    .map((one) => {
      const found = labelsOfTool(one, settings.natureOf(one.server));
      return {
        server: one.server,
        tool: one.tool,
        labels: LABELS.filter((label) => found.labels.has(label)),
        by: found.by,
      };
    });
  const { diagnostics } = configuration;
  const modes = Object.fromEntries(
    configuration.servers.map(({ name }) => [name, settings.modeOf(name)]),
  );
  if (context.isJson) {
    printJson(context, { tools: rows, modes, diagnostics });
    return EXIT.ok;
  }
  const { out, err } = context.terminal;
  writeDiagnostics(err, diagnostics, environment);
  if (rows.length > 0) out.write(labelsTable(rows, out.columns));
  else err.write('No tools are known yet. List them first: plugboard tools\n');
  const differing = Object.entries(modes).filter(([, mode]) => mode !== 'ask');
  for (const [name, mode] of differing) err.write(`Flows to ${name}: ${mode}\n`);
  return EXIT.ok;
}
