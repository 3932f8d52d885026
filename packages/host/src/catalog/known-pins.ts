// What was accepted of each server and what is kept back, from files alone: for a program that only shows it
// and wants nothing started.

import type { ConfiguredServer, PinSetting } from '../config/index.ts';
import { type PinMode, type PinStanding, type Quarantined, storedPins } from '../pins/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import { knownTools } from './known-tools.ts';

export interface KnownPins {
  readonly mode: PinMode;
  /** Those that are in use, in the order of names. */
  readonly servers: readonly {
    readonly server: string;
    readonly standing: PinStanding;
    /** In what it listed last. */
    readonly quarantined: readonly Quarantined[];
  }[];
}

/** `servers` are those that may be used, `settings` what is configured about pins, strongest first. */
export async function knownPins(
  environment: HostEnvironment,
  servers: readonly ConfiguredServer[],
  settings: readonly PinSetting[],
): Promise<KnownPins> {
  const { quarantined } = await knownTools(environment, servers, settings);
  const mode = settings[0]?.mode ?? 'tofu';
  const pins = storedPins(environment, servers, mode);
  const inUse = servers.filter(({ written }) => !written.disabled);
  return {
    mode,
    servers: await Promise.all(
      inUse.map(async ({ name }) => ({
        server: name,
        standing: await pins.standing(name),
        quarantined: quarantined.filter((each) => each.server === name),
      })),
    ),
  };
}
