// `plugboard` without a command: shows the configured servers and possible next steps.

import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { printJson } from '../print/json.ts';
import { paint } from '../print/paint.ts';
import { shortPath } from '../print/place.ts';
import { isBuiltIn, type ServerRow, serverRows, serverTable } from '../print/servers.ts';
import { grid } from '../print/table.ts';
import { readConfigured } from './configured.ts';

export async function welcome(context: Context): Promise<ExitCode> {
  const { version } = context;
  const { out, err } = context.terminal;
  const read = await readConfigured(context);
  const { environment, diagnostics } = read;
  const rows = serverRows(read);
  const configured = rows.filter((row) => !isBuiltIn(row));
  const named = (wanted: (typeof rows)[number]['state']): string | undefined =>
    configured.find(({ state }) => state === wanted)?.name;
  const usable = named('idle');
  const waiting = named('untrusted');
  const first = waiting === undefined ? firstSteps(rows) : stepsToTrust(waiting);
  const steps = usable === undefined ? first : stepsWith(usable);
  if (context.isJson) {
    const next = steps.map(([command]) => command);
    printJson(context, { version, servers: rows, diagnostics, next });
    return EXIT.ok;
  }
  writeDiagnostics(err, diagnostics, environment);
  out.write(`${paint(out, 'bold', `Plugboard ${version}`)}: every MCP server, one command.\n\n`);
  out.write(
    configured.length === 0
      ? `No servers are configured for ${shortPath(environment.cwd, environment)}.\n`
      : serverTable(rows, environment, out.columns),
  );
  out.write(`\n${paint(out, 'bold', 'Next:')}\n`);
  out.write(steps.includes(ADD_LOCAL) ? stacked(steps) : indent(grid(steps, out.columns - 2)));
  return EXIT.ok;
}

type Step = readonly [command: string, purpose: string];

const ADD_LOCAL: Step = [
  'plugboard add files --cwd project -- npx -y @modelcontextprotocol/server-filesystem .',
  'add a local server',
];

/** Suggests the built-in server, unless it is disabled. */
function firstSteps(rows: readonly ServerRow[]): readonly Step[] {
  const builtIn = rows.find((row) => isBuiltIn(row) && row.state === 'idle');
  return [
    ADD_LOCAL,
    ['plugboard add docs https://example.com/mcp', 'add a remote server'],
    ...(builtIn === undefined ? [] : [TRY_BUILT_IN]),
    ['plugboard --help', 'see everything else'],
  ];
}

const TRY_BUILT_IN: Step = [
  'plugboard call codebase search_by_embedding query="where are errors printed"',
  'ask about the code in this folder',
];

function stepsToTrust(server: string): readonly Step[] {
  return [
    [`plugboard trust ${server}`, 'see what it would run, and let it start'],
    ['plugboard add NAME -- COMMAND', 'add another server'],
    ['plugboard --help', 'see everything else'],
  ];
}

function stepsWith(server: string): readonly Step[] {
  return [
    [`plugboard tools ${server}`, 'see what it can do'],
    [`plugboard call ${server} TOOL key=value`, 'use one of its tools'],
    [`plugboard get ${server}`, 'see how it is configured'],
    ['plugboard add NAME -- COMMAND', 'add another server'],
    ['plugboard --help', 'see everything else'],
  ];
}

/** Puts the purpose above long commands, which are never cut, so that they can be copied. */
function stacked(steps: readonly Step[]): string {
  return steps.map(([command, purpose]) => `  ${purpose}:\n    ${command}\n`).join('');
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gmu, '  ');
}
