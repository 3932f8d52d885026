// What a model is told whose call of `call_tool` had wrong arguments: what is wrong with them, and what the tool takes.

import { type CallOutcome, issuesText } from '../host/index.ts';
import type { HostTool } from '../catalog/index.ts';
import type { ToolSearch } from '../tool-search/index.ts';

/** Nothing where the arguments were right. */
export function wrongArguments(
  search: ToolSearch<HostTool>,
  tool: HostTool,
  outcome: CallOutcome,
): string | undefined {
  if (outcome.kind !== 'invalid-arguments') {
    search.accepted(tool);
    return undefined;
  }
  const parameters = outcome.issues.flatMap(({ path }) => path.split('/')[1] ?? []);
  return `${issuesText(outcome)}\n${search.helpWith(tool, parameters)}`;
}
