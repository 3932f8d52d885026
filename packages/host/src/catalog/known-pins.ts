// The accepted and the kept-back items of each server, read from files only: for a program that shows them and starts
// nothing.

import type { ConfiguredServer, PinSetting } from '../config/index.ts';
import { type PinMode, type PinStanding, type Quarantined, storedPins } from '../pins/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import { knownTools } from './known-tools.ts';

export interface KnownPins {
  readonly mode: PinMode;
  /** The servers that are not disabled, in the order of names. */
  readonly servers: readonly {
    readonly server: string;
    readonly standing: PinStanding;
    /** The items of its last list that are kept back. */
    readonly quarantined: readonly Quarantined[];
  }[];
}

/** `servers`: those that may be used. `settings`: the pin settings, strongest first. */
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
