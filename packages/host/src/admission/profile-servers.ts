// Warns about profiles of the gateway that name unknown servers. Pure.

import {
  BUILT_IN_SERVERS,
  closestName,
  type Diagnostic,
  type ObjectSetting,
  originPosition,
} from '../config/index.ts';

/** Names that are only known to a running host. */
const LATER = /^(?:connector|plugin):/;

export function unknownInProfiles(
  settings: readonly ObjectSetting<'gateway'>[],
  servers: readonly string[],
): readonly Diagnostic[] {
  const known = [...servers, ...BUILT_IN_SERVERS];
  return settings.flatMap(({ profiles = {}, origin }) =>
    Object.entries(profiles).flatMap(([name, profile]) =>
      (profile.servers ?? [])
        .filter((server) => !known.includes(server) && !LATER.test(server))
        .flatMap((server): readonly Diagnostic[] => {
          if (origin.kind !== 'file') return [];
          const nearest = closestName(server, servers);
          return [
            {
              severity: 'warning',
              code: 'unknown-server',
              message: `The profile "${name}" of the gateway names "${server.slice(0, 80)}", which is not configured.`,
              suggestion:
                nearest === undefined
                  ? 'See which servers there are: plugboard list'
                  : `Did you mean "${nearest}"?`,
              ...originPosition(origin),
            },
          ];
        }),
    ),
  );
}
