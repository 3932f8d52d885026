// `plugboard` alone: what is configured here and what can be done next.

import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { printJson } from '../print/json.ts';
import { paint } from '../print/paint.ts';
import { shortPath } from '../print/place.ts';
import { serverTable } from '../print/servers.ts';
import { grid } from '../print/table.ts';
import { readConfigured } from './configured.ts';

export async function welcome(context: Context): Promise<ExitCode> {
  const { version } = context;
  const { out, err } = context.terminal;
  const { environment, rows, diagnostics } = await readConfigured(context);
  const named = (wanted: (typeof rows)[number]['state']): string | undefined =>
    rows.find(({ state }) => state === wanted)?.name;
  const usable = named('idle');
  const waiting = named('untrusted');
  const first = waiting === undefined ? FIRST_STEPS : stepsToTrust(waiting);
  const steps = usable === undefined ? first : stepsWith(usable);
  if (context.isJson) {
    const next = steps.map(([command]) => command);
    printJson(context, { version, servers: rows, diagnostics, next });
    return EXIT.ok;
  }
  writeDiagnostics(err, diagnostics, environment);
  out.write(`${paint(out, 'bold', `Plugboard ${version}`)}: every MCP server, one command.\n\n`);
  out.write(
    rows.length === 0
      ? `No servers are configured for ${shortPath(environment.cwd, environment)}.\n`
      : serverTable(rows, environment, out.columns),
  );
  out.write(`\n${paint(out, 'bold', 'Next:')}\n`);
  out.write(steps === FIRST_STEPS ? stacked(steps) : indent(grid(steps, out.columns - 2)));
  return EXIT.ok;
}

type Step = readonly [command: string, purpose: string];

const FIRST_STEPS: readonly Step[] = [
  ['plugboard add files -- npx -y @modelcontextprotocol/server-filesystem .', 'add a local server'],
  ['plugboard add docs https://example.com/mcp', 'add a remote server'],
  ['plugboard --help', 'see everything else'],
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

/** For commands that leave no room beside them: they are there to be copied, so never cut. */
function stacked(steps: readonly Step[]): string {
  return steps.map(([command, purpose]) => `  ${purpose}:\n    ${command}\n`).join('');
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gmu, '  ');
}
