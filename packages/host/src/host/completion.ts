// Asks a server for possible values of a prompt's argument or of a template's variable.

import type { Completion, CompletionRequest } from '../protocol/index.ts';
import type { ReadingOptions } from './reading.ts';
import type { ServerQueries } from './server-queries.ts';
import type { Unanswered } from './unanswered.ts';

export type CompleteOutcome = (Completion & { readonly kind: 'result' }) | Unanswered;

export async function complete(
  queries: ServerQueries,
  { server, request }: { readonly server: string; readonly request: CompletionRequest },
  options: ReadingOptions,
): Promise<CompleteOutcome> {
  const answered = await queries.run(
    {
      server,
      feature: 'completions',
      pace: 'list',
      send: (session, limits) => session.complete(request, limits),
    },
    options,
  );
  return answered.ok ? { kind: 'result', ...answered.value } : answered.error;
}
