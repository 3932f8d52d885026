// Carries out a call of one of the three tools of a search: it is answered, or the tool that it means is called, and a
// model that gave wrong arguments is told what is wrong with them and what the tool takes.

import type { JsonObject } from '@plugboard/base';
import type { HostTool } from '../catalog/index.ts';
import { type CallOutcome, issuesText } from '../host/index.ts';
import type { ToolSearch } from '../tool-search/index.ts';

export type SearchOutcome =
  | { readonly kind: 'text'; readonly text: string; readonly isError: boolean }
  | { readonly kind: 'called'; readonly outcome: CallOutcome };

/** `call` makes a call of a tool by its own name. */
export async function runToolSearch(
  search: ToolSearch<HostTool>,
  { name, arguments: given }: { readonly name: string; readonly arguments: JsonObject },
  call: (name: string, given: JsonObject) => Promise<CallOutcome>,
): Promise<SearchOutcome> {
  const answer = await search.answer(name, given);
  if (answer.kind === 'text') return answer;
  const { tool } = answer;
  const outcome = await call(tool.name, answer.arguments);
  if (outcome.kind !== 'invalid-arguments') {
    search.accepted(tool);
    return { kind: 'called', outcome };
  }
  const parameters = outcome.issues.flatMap(({ path }) => path.split('/')[1] ?? []);
  const text = `${issuesText(outcome)}\n${search.helpWith(tool, parameters)}`;
  return { kind: 'text', text, isError: true };
}
