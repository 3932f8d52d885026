// `plugboard tools [SERVER]`: lists tools. Tools that are known from earlier runs are shown without loading the code
// that talks to servers; only a server that never listed its tools is asked.

import { type KnownTools, knownTools } from '@plugboard/host/known-tools';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { printJson } from '../print/json.ts';
import { noteQuarantined, quarantinedForPrograms } from '../print/quarantine.ts';
import { listsForPrograms, noteAge, type ToolView, writeTools } from '../print/tools.ts';
import { type CommandConfiguration, readConfigured, usableServers } from './configured.ts';

export interface ToolsRequest {
  readonly server: string | undefined;
  /** The only one that is shown. */
  readonly tool: string | undefined;
  readonly shows: ToolView;
  /** Ask the servers, whatever is known of them. */
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

/** Without a name, every tool is. */
export function isWanted(name: string, wanted: string | undefined): boolean {
  return wanted === undefined || name === wanted;
}

/** All that was asked for, where it is known and there is something to ask for. */
async function storedTools(
  context: Context,
  { server, tool }: ToolsRequest,
): Promise<(KnownTools & Pick<CommandConfiguration, 'environment' | 'diagnostics'>) | undefined> {
  const configured = await readConfigured(context);
  const { environment, configuration, rows } = configured;
  const known = await knownTools(environment, usableServers(configured), configuration.pins);
  const isEnough =
    server === undefined
      ? known.lists.length > 0 && known.unknown.length === 0 && !rows.some(isKeptOut)
      : known.lists.some((list) => list.server === server) &&
        // One that it did not list may be there by now.
        (tool === undefined ||
          known.tools.some((each) => each.server === server && each.tool === tool));
  return isEnough ? { ...known, environment, diagnostics: configuration.diagnostics } : undefined;
}

/** Asking for its tools says why there are none. */
function isKeptOut({ state }: CommandConfiguration['rows'][number]): boolean {
  return state === 'blocked' || state === 'untrusted';
}
