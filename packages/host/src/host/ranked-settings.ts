// Settings that the program can state too: the machine's owner is stronger than the program, and the program is stronger
// than its user. Pure.

import type { AdmittedConfiguration } from '../admission/index.ts';
import type { ObjectSetting } from '../config/index.ts';
import { type ConnectLimits, DEFAULT_CONNECT_LIMITS } from '../connection/index.ts';
import type { PinMode } from '../pins/index.ts';

export function pinModeOf({ pins }: AdmittedConfiguration, given: PinMode | undefined): PinMode {
  const owners = pins.find(({ scope }) => scope === 'enterprise')?.mode;
  return owners ?? given ?? pins[0]?.mode ?? 'tofu';
}

export type GatewayProfiles = NonNullable<ObjectSetting<'gateway'>['profiles']>;

/** If several files have a profile with the same name, that of the strongest file counts. */
export function gatewayProfilesOf({
  gateway,
}: Pick<AdmittedConfiguration, 'gateway'>): GatewayProfiles {
  const weakestFirst = gateway.toReversed();
  return Object.fromEntries(weakestFirst.flatMap(({ profiles }) => Object.entries(profiles ?? {})));
}

export function connectLimitsOf(
  { limits }: Pick<AdmittedConfiguration, 'limits'>,
  given: Partial<ConnectLimits> = {},
): ConnectLimits {
  const owners = limits.filter(({ scope }) => scope === 'enterprise');
  const stated = { connectingLocal: given.local, connectingRemote: given.remote };
  const ranked = [...owners, stated, ...limits];
  const first = (key: keyof typeof stated): number | undefined =>
    ranked.map((each) => each[key]).find((value) => value !== undefined);
  return {
    local: first('connectingLocal') ?? DEFAULT_CONNECT_LIMITS.local,
    remote: first('connectingRemote') ?? DEFAULT_CONNECT_LIMITS.remote,
  };
}
