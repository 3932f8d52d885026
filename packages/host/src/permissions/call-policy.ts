// Builds the policy of a configuration from its rules and the standing of its servers.

import type { AdmittedConfiguration, AdmittedServer } from '../admission/index.ts';
import { namePrefixOf } from '../catalog/index.ts';
import { BUILT_IN_SERVERS, UNASKED_TOOLS } from '../config/index.ts';
import { Policy, type ServerStanding } from '../policy/index.ts';
import { type CallContext, callRules } from './call-rules.ts';

export async function callPolicy(
  configuration: AdmittedConfiguration,
  context: CallContext,
): Promise<Policy> {
  const rules = await callRules(configuration, context);
  const servers = standingsOf(configuration.servers, context);
  const paths = context.environment.platform === 'win32' ? 'win32' : 'posix';
  return new Policy({ ...rules, servers, paths });
}

export function standingsOf(
  servers: readonly Pick<AdmittedServer, 'name' | 'author' | 'admission'>[],
  { inProcess = [], environment }: CallContext,
): readonly ServerStanding[] {
  const inProgram = new Set(inProcess);
  const configured = servers
    .filter(({ name }) => !inProgram.has(name))
    .map(({ name, author, admission }) =>
      // The user has not reviewed the servers that a connector lists.
      standingOf(name, admission.kind === 'admitted' && author !== 'account'),
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
