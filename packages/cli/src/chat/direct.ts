// What users do by hand, without a model: list tools, call them, search, read. These calls take the same path as those of
// models, so the same rules and approvals apply.

import { type CallOutcome, type Host, type Part, toText } from '@plugboard/host';
import { WORKSPACE } from '@plugboard/host/configuration';
import { parseArguments, toValues } from '../given/call-arguments.ts';
import type { ShownError } from '../print/error.ts';
import { outcomeError } from '../print/outcome.ts';
import { readError } from '../print/primitive-errors.ts';
import { resourceTable } from '../print/primitives.ts';
import { subjectOf } from '../print/subject.ts';
import { toolTable } from '../print/tools.ts';
import { UsageError } from '../usage-error.ts';
import { PERSON } from './approvals.ts';
import type { SubmitResult } from './chat.ts';
import { chatProblem } from './problem.ts';

export interface TableOptions {
  readonly columns: number;
  readonly signal: AbortSignal;
}

const BY_USER = { asker: PERSON };

export async function toolsText(
  host: Host,
  server: string | undefined,
  { columns, signal }: TableOptions,
): Promise<SubmitResult> {
  const { tools, problems } = await host.tools({
    ...(server === undefined ? {} : { servers: [server] }),
    signal,
  });
  const down = problems.flatMap((problem) => {
    const shown = errorOf(host, problem);
    return shown === undefined ? [] : [`${shown.message}\n  fix: ${shown.fix}`];
  });
  const table = tools.length === 0 ? 'There are no tools.' : toolTable(tools, columns);
  return { kind: 'shown', text: [table.trimEnd(), ...down].join('\n') };
}

export interface DirectCall {
  readonly server: string;
  readonly tool: string;
  readonly given: readonly string[];
}

export async function callText(
  host: Host,
  { server, tool, given }: DirectCall,
  signal: AbortSignal,
): Promise<SubmitResult> {
  try {
    const parsed = await parseArguments(given);
    const { tools } = await host.tools({ servers: [server], signal });
    const schema = tools.find((candidate) => candidate.tool === tool)?.inputSchema ?? {};
    const outcome = await host.call({ server, tool }, toValues(parsed, schema), {
      ...BY_USER,
      signal,
    });
    return callResult(host, server, outcome);
  } catch (thrown) {
    if (thrown instanceof UsageError) return chatProblem(thrown);
    throw thrown;
  }
}

/** Runs a shell command of the user in the folder. */
export async function shellText(
  host: Host,
  command: string,
  signal: AbortSignal,
): Promise<SubmitResult> {
  const reference = { server: WORKSPACE, tool: 'run_command' };
  const outcome = await host.call(reference, { command }, { ...BY_USER, signal });
  return callResult(host, reference.server, outcome);
}

export async function searchText(
  host: Host,
  query: string,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: (text: string) => void },
): Promise<SubmitResult> {
  const reference = { server: 'codebase', tool: 'search_by_embedding' };
  const onProgress = ({ message }: { readonly message?: string | undefined }): void => {
    if (message !== undefined) tell(message);
  };
  const outcome = await host.call(reference, { query }, { ...BY_USER, signal, onProgress });
  return callResult(host, reference.server, outcome);
}

export async function resourcesText(
  host: Host,
  server: string | undefined,
  { columns, signal }: TableOptions,
): Promise<SubmitResult> {
  const options = { ...(server === undefined ? {} : { servers: [server] }), signal };
  const [{ resources }, { templates }] = await Promise.all([
    host.resources.list(options),
    host.resources.templates(options),
  ]);
  if (resources.length + templates.length === 0) {
    return { kind: 'shown', text: 'There are no resources.' };
  }
  return { kind: 'shown', text: resourceTable(resources, templates, columns).trimEnd() };
}

export async function readText(
  host: Host,
  named: string,
  signal: AbortSignal,
): Promise<SubmitResult> {
  const [, server, uri] = /^@?([A-Za-z0-9_-]{1,64}):(\S+:\S*)$/.exec(named.trim()) ?? [];
  if (server === undefined || uri === undefined) {
    return {
      kind: 'problem',
      message: 'a resource is named by its server and its address',
      fix: 'write it like /read codebase:codebase://files',
    };
  }
  const outcome = await host.resources.read({ server, uri }, { signal });
  if (outcome.kind === 'result') return { kind: 'shown', text: toText(outcome.parts) };
  return chatProblem(readError(outcome, subjectOf(host, server)));
}

function callResult(host: Host, server: string, outcome: CallOutcome): SubmitResult {
  if (outcome.kind === 'result') return { kind: 'shown', text: textForPeople(outcome.parts) };
  return chatProblem(outcomeError(outcome, subjectOf(host, server)));
}

/** Leaves out the structured content of a result that has text: it says the same as JSON. */
function textForPeople(parts: readonly Part[]): string {
  const hasText = parts.some(({ kind }) => kind === 'text');
  return toText(hasText ? parts.filter(({ kind }) => kind !== 'structured') : parts);
}

function errorOf(host: Host, outcome: CallOutcome): ShownError | undefined {
  if (outcome.kind === 'result') return undefined;
  return outcomeError(outcome, subjectOf(host, 'server' in outcome ? outcome.server : ''));
}
