// Builds the policy of a configuration from its rules and the standing of its servers.

import type { AdmittedConfiguration, AdmittedServer } from '../admission/index.ts';
import { namePrefixOf } from '../catalog/index.ts';
import { BUILT_IN_SERVERS, scopeRow, UNASKED_TOOLS } from '../config/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import { Policy, type ServerStanding } from '../policy/index.ts';
import { callRules, type CallRules } from './call-rules.ts';

export interface PolicyContext {
  readonly environment: HostEnvironment;
  readonly trust: 'stored' | 'project';
  /** The names of the program's own servers. */
  readonly inProcess?: readonly string[];
}

export async function callPolicy(
  configuration: AdmittedConfiguration,
  context: PolicyContext,
): Promise<Policy> {
  const rules = await callRules(configuration, context);
  const servers = standingsOf(configuration.servers, context);
  return policyFrom(rules, servers, context.environment);
}

export function policyFrom(
  rules: CallRules,
  servers: readonly ServerStanding[],
  { platform }: Pick<HostEnvironment, 'platform'>,
): Policy {
  return new Policy({ ...rules, servers, paths: platform === 'win32' ? 'win32' : 'posix' });
}

export function standingsOf(
  servers: readonly Pick<AdmittedServer, 'name' | 'scope' | 'admission'>[],
  { inProcess = [], environment }: Pick<PolicyContext, 'inProcess' | 'environment'>,
): readonly ServerStanding[] {
  const inProgram = new Set(inProcess);
  const configured = servers
    .filter(({ name }) => !inProgram.has(name))
    .map(({ name, scope, admission }) =>
      // The user has not reviewed the servers that a connector lists.
      standingOf(name, admission.kind === 'admitted' && scopeRow(scope).author !== 'account'),
    );
  // Built-in servers use paths relative to the working directory.
  const own = inProcess.map((name) => ({
    ...standingOf(name, true),
    ...(BUILT_IN_SERVERS.includes(name) ? { folder: environment.cwd } : {}),
  }));
  return [...configured, ...own];
}

function standingOf(name: string, isTrusted: boolean): ServerStanding {
  const unasked = Object.hasOwn(UNASKED_TOOLS, name) ? (UNASKED_TOOLS[name] ?? []) : [];
  return { name, prefix: namePrefixOf(name), unasked, isTrusted };
}
