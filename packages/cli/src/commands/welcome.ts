// `plugboard` alone: what is configured here and what can be done next.

import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printDiagnostics } from '../print/diagnostics.ts';
import { printJson } from '../print/json.ts';
import { paint } from '../print/paint.ts';
import { serverTable } from '../print/servers.ts';
import { table } from '../print/table.ts';
import { readServers } from './list.ts';

export async function welcome(context: Context): Promise<ExitCode> {
  const { terminal, version } = context;
  const { environment, configuration, rows } = await readServers();
  const steps = nextSteps(rows.find(({ state }) => state === 'idle')?.name);
  if (context.isJson) {
    const { diagnostics } = configuration;
    printJson(context, { version, servers: rows, diagnostics, next: steps.map(([command]) => command) });
    return EXIT.ok;
  }
  printDiagnostics(context, configuration.diagnostics, environment.cwd);
  terminal.out(`${paint(terminal, 'bold', `Plugboard ${version}`)}: every MCP server, one command.\n\n`);
  terminal.out(
    rows.length === 0
      ? `No servers are configured for ${environment.cwd}.\n`
      : serverTable(rows, environment.cwd, terminal.columns),
  );
  terminal.out(`\n${paint(terminal, 'bold', 'Next')}\n${indent(table(steps, terminal.columns - 2))}`);
  return EXIT.ok;
}

function nextSteps(server: string | undefined): readonly (readonly [string, string])[] {
  const add = [
    ['plugboard add files -- npx -y @modelcontextprotocol/server-filesystem .', 'add a local server'],
    ['plugboard add NAME https://example.com/mcp', 'add a remote server'],
    ['plugboard --help', 'everything else'],
  ] as const;
  if (server === undefined) return add;
  return [
    [`plugboard tools ${server}`, 'see what it can do'],
    [`plugboard call ${server} TOOL key=value`, 'use one of its tools'],
    [`plugboard get ${server}`, 'see how it is configured'],
    ['plugboard add NAME -- COMMAND', 'add another server'],
    ['plugboard --help', 'everything else'],
  ];
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gmu, '  ');
}
