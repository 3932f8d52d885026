// Runs every scenario for servers against a server for the suite (`fixture/`), and against a gateway in front of it:
// over stdio and over HTTP, for clients of each revision.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGateway } from '@plugboard/gateway';
import { allowAll, type HostOptions } from '@plugboard/host';
import type { ScenarioRun, SetRun } from './judge.ts';
import {
  EXTENSION_SCENARIOS,
  GATEWAY_ROUTES,
  type LeftOut,
  REVISIONS,
  type Revision,
  type Route,
  UNCHECKED,
  UNCHECKED_BEHIND_GATEWAY,
  withoutChecks,
} from './server-scenarios.ts';
import { type SubjectRuns, startListening } from './server.ts';
import { type RunScenarios, runSet } from './sets.ts';
import { runServerSuite } from './suite.ts';

const FIXTURE = fileURLToPath(new URL('fixture/main.mjs', import.meta.url));
const SERVER = 'fixture';

/** Runs the fixture without a gateway: a failure here is not caused by the gateway. */
export async function runFixtureSets(): Promise<SubjectRuns> {
  await using server = await startListening([FIXTURE, '--http']);
  const sets: SetRun[] = [];
  for (const revision of REVISIONS) {
    const runs = await runRevision(server.url, revision);
    sets.push({ set: `fixture ${revision}`, runs: without(UNCHECKED, runs) });
  }
  return { sets, leftOut: UNCHECKED };
}

export async function runGatewaySets(): Promise<SubjectRuns> {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-conformance-'));
  for (const name of ['XDG_CACHE_HOME', 'XDG_STATE_HOME']) process.env[name] = join(folder, name);
  await using server = await startListening([FIXTURE, '--http']);
  const leftOut = { ...UNCHECKED, ...UNCHECKED_BEHIND_GATEWAY };
  const runRoutes = async (over: Route['over']): Promise<readonly SetRun[]> => {
    const sets: SetRun[] = [];
    for (const route of GATEWAY_ROUTES.filter((each) => each.over === over)) {
      const { revision, protocol } = route;
      const set = `clients of ${revision}, ${protocol} server over ${over}`;
      sets.push({ set, runs: without(leftOut, await runRoute(route, server.url)) });
    }
    return sets;
  };
  try {
    // In parallel, since most of the time is spent waiting.
    const [stdio, http] = await Promise.all([runRoutes('stdio'), runRoutes('http')]);
    return { sets: [...stdio, ...http], leftOut };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runRoute(
  { over, protocol, revision, leftOut = [] }: Route,
  url: string,
): Promise<readonly ScenarioRun[]> {
  const entries = {
    stdio: { command: process.execPath, args: [FIXTURE], protocol },
    http: { type: 'http', url, protocol },
  } satisfies HostOptions['servers'];
  await using gateway = await createGateway({
    host: { files: 'none', approve: allowAll, servers: { [SERVER]: entries[over] } },
  });
  const listening = await gateway.listen({});
  const runs = await runRevision(`${listening.url}/${SERVER}`, revision);
  return runs.map((run) => withoutChecks(run, leftOut));
}

async function runRevision(url: string, revision: Revision): Promise<readonly ScenarioRun[]> {
  console.error(`conformance: running ${revision} at ${url} ...`);
  const run: RunScenarios = (words) => runServerSuite(url, words);
  const alone = ['--spec-version', revision, '--force'];
  const runs = [...(await runSet({ words: ['--requirements', revision], alone }, run))];
  for (const scenario of EXTENSION_SCENARIOS[revision]) {
    runs.push(...(await runSet({ words: ['--scenario', scenario, ...alone], alone }, run)));
  }
  return runs;
}

function without(leftOut: LeftOut, runs: readonly ScenarioRun[]): readonly ScenarioRun[] {
  return runs.filter(({ scenario }) => leftOut[scenario] === undefined);
}
