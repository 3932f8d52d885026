// Resolves a configuration, and says how long it took. The home is that of this process.

import { hostEnvironment, loadConfig } from '@plugboard/host/configuration';
import { answerParent } from '../measure/answer-parent.ts';

export type Resolving =
  | { readonly kind: 'load'; readonly cwd: string; readonly servers: number }
  /** The floor: the same texts, parsed and not looked at. */
  | { readonly kind: 'parse'; readonly texts: readonly string[] };

answerParent(
  (question: Resolving) =>
    question.kind === 'load' ? timeLoad(question) : Promise.resolve(timeParse(question.texts)),
  () => process.exit(),
);

async function timeLoad({
  cwd,
  servers,
}: Extract<Resolving, { readonly kind: 'load' }>): Promise<number> {
  const environment = { ...hostEnvironment(), cwd };
  const startedAt = performance.now();
  // No file of this machine's owner, which would exclude all others.
  const found = await loadConfig({ environment, enterprise: [] });
  const took = performance.now() - startedAt;
  const ready = found.servers.filter(({ resolved }) => resolved.kind === 'ready').length;
  const complaints = found.diagnostics.length + found.rejected.length;
  if (ready !== servers || complaints > 0) {
    throw new Error(`${ready} of ${servers} servers are ready, with ${complaints} complaints`);
  }
  return took;
}

function timeParse(texts: readonly string[]): number {
  const startedAt = performance.now();
  for (const text of texts) JSON.parse(text);
  return performance.now() - startedAt;
}
