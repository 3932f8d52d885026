// `plugboard tools [SERVER]`: lists tools. Tools that are known from earlier runs are shown without loading the code that
// connects to servers.

import { type KnownTools, knownTools } from '@plugboard/host/known-tools';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { printJson } from '../print/json.ts';
import { noteQuarantined, quarantinedForPrograms } from '../print/quarantine.ts';
import { type ServerRow, serverRows } from '../print/servers.ts';
import { listsForPrograms, noteAge, type ToolView, writeTools } from '../print/tools.ts';
import { type CommandConfiguration, readConfigured, usableServers } from './configured.ts';

export interface ToolsRequest {
  readonly server: string | undefined;
  /** The only tool to show. */
  readonly tool: string | undefined;
  readonly shows: ToolView;
  /** Ask the servers even if their tools are known. */
  readonly isFresh: boolean;
}

export async function tools(context: Context, request: ToolsRequest): Promise<ExitCode> {
  const known = request.isFresh ? undefined : await storedTools(context, request);
  if (known === undefined) {
    const { askTools } = await import('./ask-tools.ts');
    return askTools(context, request);
  }
  const { server, tool } = request;
  const concerns = (name: string | undefined): boolean =>
    server === undefined || name === undefined || name === server;
  const found = known.tools.filter((each) => concerns(each.server) && isWanted(each.tool, tool));
  const lists = known.lists.filter((list) => concerns(list.server));
  const held = known.quarantined.filter(
    (each) => concerns(each.server) && isWanted(each.name, tool),
  );
  const { environment, diagnostics } = known;
  if (context.isJson) {
    const stored = lists.map((list) => ({ ...list, source: 'stored' as const }));
    printJson(context, {
      tools: found,
      lists: listsForPrograms(stored),
      problems: [],
      quarantined: quarantinedForPrograms(held),
      diagnostics,
    });
  } else {
    const concerned = diagnostics.filter((diagnostic) => concerns(diagnostic.server));
    writeDiagnostics(context.terminal.err, concerned, environment);
    writeTools(context.terminal, request, found);
    noteQuarantined(context.terminal.err, held);
    noteAge(context.terminal, request, lists);
  }
  return EXIT.ok;
}

/** Without a name, every tool matches. */
export function isWanted(name: string, wanted: string | undefined): boolean {
  return wanted === undefined || name === wanted;
}

/** The stored tools, if they are complete for this request. */
async function storedTools(
  context: Context,
  { server, tool }: ToolsRequest,
): Promise<(KnownTools & Pick<CommandConfiguration, 'environment' | 'diagnostics'>) | undefined> {
  const configured = await readConfigured(context);
  const { environment, configuration } = configured;
  const known = await knownTools(environment, usableServers(configured), configuration.pins);
  const isEnough =
    server === undefined
      ? known.lists.length > 0 &&
        known.unknown.length === 0 &&
        !serverRows(configured).some(isKeptOut)
      : known.lists.some((list) => list.server === server) &&
        // The server may have added the tool since it was last listed.
        (tool === undefined ||
          known.tools.some((each) => each.server === server && each.tool === tool));
  return isEnough ? { ...known, environment, diagnostics: configuration.diagnostics } : undefined;
}

/** Such a server must be asked, because its error explains why it has no tools. */
function isKeptOut({ state }: ServerRow): boolean {
  return state === 'blocked' || state === 'untrusted';
}
