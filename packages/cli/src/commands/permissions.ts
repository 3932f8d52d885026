// `plugboard permissions [TOOL] [key=value …]`: shows the rules about calls, or the decision about one call and its reason.
// Starts no server: properties of a tool are known from its last listing. Flags first write a rule about the tool, or
// remove its rules.

import { BUILT_IN_SERVERS } from '@plugboard/host/configuration';
import { type CallRules, callRules, explainCall } from '@plugboard/host/decisions';
import { type KnownTools, knownTools } from '@plugboard/host/known-tools';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { explanationText, rulesTable } from '../print/decision.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { printJson } from '../print/json.ts';
import { place } from '../print/place.ts';
import { UsageError } from '../usage-error.ts';
import { parseArguments, toValues } from '../given/call-arguments.ts';
import { type CommandConfiguration, readConfigured, unknownServer } from './configured.ts';
import { flagOf, type RuleRemoval, type RuleChange } from './rule-change.ts';

export interface PermissionsRequest {
  readonly tool: string | undefined;
  readonly given: readonly string[];
  /** A rule to write or to remove first. */
  readonly change?: RuleChange;
}

export async function permissions(
  context: Context,
  { tool, given, change }: PermissionsRequest,
): Promise<ExitCode> {
  const configured = await readConfigured(context);
  if (change !== undefined) return editAndShow(context, configured, { tool, given, change });
  if (tool === undefined) return showRules(context, configured);
  return showDecision(context, configured, { tool, given });
}

async function editAndShow(
  context: Context,
  configured: CommandConfiguration,
  { tool, given, change }: PermissionsRequest & { readonly change: RuleChange },
): Promise<ExitCode> {
  if (tool === undefined || given.length > 0) {
    throw new UsageError(
      `${flagOf(change)} is about one tool, whatever its arguments`,
      `name the tool alone: plugboard permissions files/write_file ${flagOf(change)}`,
    );
  }
  const { configuration, environment } = configured;
  const known = await knownTools(environment, configuration.servers, configuration.pins);
  if (change.kind === 'remove') return removeAndShow(context, configured, { tool, known, change });
  const named = toolIn(tool, known, configured);
  const listed = known.tools.filter(({ server }) => server === named.server);
  const isPattern = named.tool.includes('*');
  const isScoped = named.tool.includes('(');
  if (
    !isPattern &&
    !isScoped &&
    listed.length > 0 &&
    !listed.some((one) => one.tool === named.tool)
  ) {
    throw new UsageError(
      `server "${named.server}" has no tool "${named.tool}"`,
      `see which it has: plugboard tools ${named.server}`,
    );
  }
  const { writeRule } = await import('./write-rule.ts');
  const { root } = configuration;
  const done = await writeRule(context, { ...named, change, environment, root });
  if (done === 'refused') return EXIT.denied;
  const now = await readConfigured(context);
  return isPattern || isScoped
    ? showRules(context, now)
    : showDecision(context, now, { tool, given });
}

/** Rules may be about a tool or a server that no longer exists. */
async function removeAndShow(
  context: Context,
  configured: CommandConfiguration,
  { tool, known, change }: { tool: string; known: KnownTools; change: RuleRemoval },
): Promise<ExitCode> {
  const listed = known.tools.find(
    (one) => one.name === tool || `${one.server}/${one.tool}` === tool,
  );
  const names = listed === undefined ? [tool] : [`${listed.server}/${listed.tool}`, listed.name];
  const { removeRules } = await import('./remove-rules.ts');
  const removed = await removeRules(context, configured, { names, change });
  if (context.isJson) {
    printJson(context, { kind: 'removed', removed });
    return EXIT.ok;
  }
  const left = await readConfigured(context);
  return listed === undefined
    ? showRules(context, left)
    : showDecision(context, left, { tool, given: [] });
}

async function showRules(context: Context, configured: CommandConfiguration): Promise<ExitCode> {
  const { configuration, environment } = configured;
  const ground = { environment, trust: context.trust };
  const found = await callRules(configuration, ground);
  const { diagnostics } = configuration;
  if (context.isJson) {
    printJson(context, { ...found, diagnostics });
    return EXIT.ok;
  }
  const { out, err } = context.terminal;
  writeDiagnostics(err, diagnostics, environment);
  if (found.rules.length === 0)
    err.write('There are no rules. Calls that no rule covers need your approval.\n');
  else out.write(rulesTable(found.rules, { columns: out.columns, from: environment }));
  err.write(modeText(found, configured));
  return EXIT.ok;
}

function modeText(
  { modes, readOnlyTools }: CallRules,
  { environment }: CommandConfiguration,
): string {
  const lines = [
    ...modes.map(
      ({ mode, origin, scope }) => `Mode "${mode}": ${place(origin, environment)} (${scope})`,
    ),
    ...(readOnlyTools === 'allow' ? ['Tools that claim to only read run without asking.'] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

async function showDecision(
  context: Context,
  configured: CommandConfiguration,
  request: { readonly tool: string; readonly given: readonly string[] },
): Promise<ExitCode> {
  const { configuration, environment } = configured;
  const parsed = await parseArguments(request.given);
  const known = await knownTools(environment, configuration.servers, configuration.pins);
  const { server, tool } = toolIn(request.tool, known, configured);
  const listed = known.tools.find((one) => one.server === server && one.tool === tool);
  const values = toValues(parsed, listed?.inputSchema ?? {});
  const explanation = await explainCall(
    { server, tool, known: listed, arguments: values },
    configuration,
    { environment, trust: context.trust, inProcess: BUILT_IN_SERVERS },
  );
  const { diagnostics } = configuration;
  if (context.isJson) {
    printJson(context, {
      server,
      tool,
      isKnown: listed !== undefined,
      ...explanation,
      diagnostics,
    });
    return EXIT.ok;
  }
  const { out, err } = context.terminal;
  writeDiagnostics(err, diagnostics, environment);
  out.write(
    explanationText({ server, tool }, explanation, { columns: out.columns, from: environment }),
  );
  if (explanation.decision.kind === 'ask' && explanation.decision.because.kind === 'default') {
    err.write('Note: "plugboard call" runs it: by typing the name of a tool, you ask for it.\n');
  }
  if (listed === undefined && !BUILT_IN_SERVERS.includes(server)) {
    err.write(`Note: what the tool claims is not known yet; list it: plugboard tools ${server}\n`);
  }
  return EXIT.ok;
}

/** Parses `server/tool`, or the model name of a tool. */
function toolIn(
  text: string,
  { tools }: KnownTools,
  configured: CommandConfiguration,
): { readonly server: string; readonly tool: string } {
  const named = tools.find(({ name }) => name === text);
  if (named !== undefined) return named;
  const slash = text.indexOf('/');
  if (slash > 0 && slash < text.length - 1) {
    const server = text.slice(0, slash);
    const isKnown = configured.configuration.servers.some(({ name }) => name === server);
    // Some built-in servers exist only in a conversation.
    if (!isKnown && !BUILT_IN_SERVERS.includes(server)) throw unknownServer(server, configured);
    return { server, tool: text.slice(slash + 1) };
  }
  throw new UsageError(
    `there is no tool "${text}" among those that were listed`,
    'name it as server/tool, for example: plugboard permissions files/read_file',
  );
}
