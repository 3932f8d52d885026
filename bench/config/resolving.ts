// Resolves a configuration, and reports the time. It uses the home of this process.

import { dirname } from 'node:path';
import { approve, hostEnvironment, readConfiguration } from '@plugboard/host/configuration';
import { answerParent } from '../measure/answer-parent.ts';
import type { ManyServers } from './many-servers.ts';

type ConfiguredServers = Omit<ManyServers, 'texts'>;

export type ResolveTask =
  /** Approves some servers of the project; returns how many. */
  | { readonly kind: 'approve'; readonly configured: ConfiguredServers; readonly count: number }
  /** Answers how long it took. */
  | { readonly kind: 'load'; readonly configured: ConfiguredServers; readonly approved: number }
  /** The lower bound: only parses the same texts. */
  | { readonly kind: 'parse'; readonly texts: readonly string[] };

answerParent(answer, () => process.exit());

async function answer(question: ResolveTask): Promise<number> {
  switch (question.kind) {
    case 'approve':
      return approveSome(question.configured, question.count);
    case 'load':
      return timeLoad(question.configured, question.approved);
    case 'parse':
      return timeParse(question.texts);
    default:
      return question satisfies never;
  }
}

async function approveSome(configured: ConfiguredServers, count: number): Promise<number> {
  const { servers } = await read(configured);
  const waiting = servers.flatMap(({ admission }) =>
    admission.kind === 'untrusted' ? [admission.subject] : [],
  );
  const chosen = waiting.slice(0, count);
  for (const subject of chosen) {
    const approved = await approve(hostEnvironment(), subject);
    if (!approved.ok) throw new Error(`cannot approve: ${approved.error.kind}`);
  }
  return chosen.length;
}

async function timeLoad(configured: ConfiguredServers, approved: number): Promise<number> {
  const startedAt = performance.now();
  const found = await read(configured);
  const took = performance.now() - startedAt;
  const ready = found.servers.filter(({ resolved }) => resolved.kind === 'ready').length;
  const complaints = found.diagnostics.length + found.rejected.length;
  const blocked = found.servers.filter(({ admission }) => admission.kind === 'blocked').length;
  const fromProject = found.servers.filter(
    ({ scope, admission }) => scope !== 'user' && admission.kind === 'admitted',
  ).length;
  const counts = JSON.stringify({ ready, complaints, blocked, fromProject });
  const { servers, denied } = configured;
  const expected = { ready: servers, complaints: 0, blocked: denied, fromProject: approved };
  if (counts !== JSON.stringify(expected)) throw new Error(`it came to ${counts}`);
  return took;
}

function read({ cwd, policy }: ConfiguredServers) {
  return readConfiguration({
    environment: { ...hostEnvironment(), cwd },
    // Replaces the files of this machine's owner.
    enterprise: [{ path: policy, scope: 'enterprise', format: 'policy', folder: dirname(policy) }],
  });
}

function timeParse(texts: readonly string[]): number {
  const startedAt = performance.now();
  for (const text of texts) JSON.parse(text);
  return performance.now() - startedAt;
}
