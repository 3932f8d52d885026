// The scenarios of the suite that apply to any server, and the checks in them that do not apply to the codebase server:
// they call tools that only a server for the suite has. And the scenarios for such a server, by itself and behind a
// gateway. Pure.

import type { ScenarioRun } from './judge.ts';

export interface ServerSet {
  readonly version: string;
  readonly scenarios: readonly string[];
}

/** All others require tools, resources or prompts of the suite, or features that the server lacks. */
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

/** Checks of `server-stateless` that call a tool which only a server for the suite has. */
const NOT_TESTABLE: readonly string[] = [
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
];

export interface TestableRun {
  readonly run: ScenarioRun;
  /** Names of checks that the suite itself marks as untestable with this server. */
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

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** Scenarios that `--requirements` omits, by revision. */
export const EXTENSION_SCENARIOS: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': [],
  '2026-07-28': [
    'sep-2640-skills-enumeration',
    'sep-2640-skills-manifest',
    'sep-2640-skills-directory',
  ],
};

/** A route from a client through a gateway to a server. */
export interface Route {
  /** The revision of the clients. */
  readonly revision: Revision;
  /** The transport and the era between gateway and server. */
  readonly over: 'stdio' | 'http';
  readonly protocol: 'legacy' | 'modern';
  /** Checks that are impossible on this route; see docs/conformance.md. */
  readonly leftOut?: readonly string[];
}

/** Without modern clients in front of a legacy server; see docs/conformance.md. */
export const GATEWAY_ROUTES: readonly Route[] = [
  { revision: '2025-11-25', over: 'stdio', protocol: 'legacy' },
  {
    revision: '2026-07-28',
    over: 'stdio',
    protocol: 'modern',
    leftOut: [
      'sep-2575-server-sends-prompts-list-changed-on-subscription',
      'sep-2575-server-sends-tools-list-changed-on-subscription',
    ],
  },
  { revision: '2025-11-25', over: 'stdio', protocol: 'modern' },
  { revision: '2025-11-25', over: 'http', protocol: 'legacy' },
  { revision: '2026-07-28', over: 'http', protocol: 'modern' },
  { revision: '2025-11-25', over: 'http', protocol: 'modern' },
];

/** The run without the checks of these names. */
export function withoutChecks(run: ScenarioRun, names: readonly string[]): ScenarioRun {
  return { ...run, checks: run.checks.filter(({ id = '' }) => !names.includes(id)) };
}

/** By scenario: why it proves nothing. */
export type LeftOut = Readonly<Record<string, readonly string[]>>;

export const UNCHECKED: LeftOut = {
  'tasks-status-notifications': ['the suite has no check in it'],
};

export const UNCHECKED_BEHIND_GATEWAY: LeftOut = {
  'server-sse-polling': ['the suite checks nothing where the answer is no stream'],
};
