// Which scenarios of the suite can be put to any server, and what in them cannot be put to ours: some checks call tools
// that only a server made for the suite has. Pure.

import type { ScenarioRun } from './judge.ts';

export interface ServerSet {
  readonly version: string;
  readonly scenarios: readonly string[];
}

/** All others want tools, resources or prompts of the suite's own, or are about features that the server has not. */
export const SERVER_SETS: readonly ServerSet[] = [
  {
    version: '2025-11-25',
    scenarios: [
      'server-initialize',
      'server-session-lifecycle',
      'ping',
      'tools-list',
      'resources-list',
      'prompts-list',
      'dns-rebinding-protection',
      'server-sse-multiple-streams',
    ],
  },
  {
    version: '2026-07-28',
    scenarios: [
      'server-stateless',
      'tools-list',
      'resources-list',
      'prompts-list',
      'sep-2164-resource-not-found',
      'dns-rebinding-protection',
      'caching',
      'http-header-validation',
      'server-sse-multiple-streams',
    ],
  },
];

/** Of `server-stateless`: each calls a tool that only a server made for the suite has. */
const NOT_TESTABLE: readonly string[] = [
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
];

export interface TestableRun {
  readonly run: ScenarioRun;
  /** Names of checks that the suite itself calls not testable with this server. */
  readonly leftOut: readonly string[];
}

export function testable(run: ScenarioRun): TestableRun {
  const isLeftOut = ({ id = '', details }: ScenarioRun['checks'][number]): boolean =>
    details?.untestable === true && NOT_TESTABLE.includes(id);
  return {
    run: { ...run, checks: run.checks.filter((check) => !isLeftOut(check)) },
    leftOut: run.checks.filter(isLeftOut).map(({ id, name }) => id ?? name),
  };
}
