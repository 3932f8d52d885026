// Compiles the rules and hooks of a configuration for the host. While a file cannot be read, its earlier rules
// and hooks stay in effect.

import type { AdmittedConfiguration } from '../admission/index.ts';
import {
  type CallContext,
  callPolicy,
  type FlowContext,
  flowSettings,
  standingsOf,
} from '../permissions/index.ts';
import type { CommandPorts } from '../platform/index.ts';
import type { CallPolicies } from './call-permission.ts';
import { Hooks } from './hooks.ts';

export type CallPolicyPorts = CallContext & FlowContext & CommandPorts;

export async function callPolicies(
  configuration: AdmittedConfiguration,
  ports: CallPolicyPorts,
): Promise<CallPolicies> {
  const { clock, ledger, environment } = ports;
  const servers = standingsOf(configuration.servers, ports);
  return {
    policy: await callPolicy(configuration, ports),
    hooks: new Hooks(configuration.hooks, servers, { environment, clock, ledger }),
    flow: flowSettings(configuration, ports),
  };
}

type CallSettings = Pick<AdmittedConfiguration, 'permissions' | 'hooks'>;

/** The current settings; of a file that cannot be read at the moment, its earlier ones. */
export function keptCallSettings(
  before: CallSettings,
  now: CallSettings & Pick<AdmittedConfiguration, 'files'>,
): CallSettings {
  const broken = new Set(
    now.files.flatMap(({ path, state }) => (state === 'invalid' ? [path] : [])),
  );
  const isBroken = ({ origin }: CallSettings['hooks' | 'permissions'][number]): boolean =>
    origin.kind === 'file' && broken.has(origin.file);
  const isSound = (one: CallSettings['hooks' | 'permissions'][number]): boolean => !isBroken(one);
  return {
    permissions: [...now.permissions.filter(isSound), ...before.permissions.filter(isBroken)],
    hooks: [...now.hooks.filter(isSound), ...before.hooks.filter(isBroken)],
  };
}
