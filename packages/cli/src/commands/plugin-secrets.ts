// Where answers that must stay secret are kept.

import {
  type HostEnvironment,
  type PluginSecrets,
  secretStore,
} from '@plugboard/host/configuration';

export function pluginSecrets(environment: HostEnvironment): PluginSecrets {
  return secretStore(environment);
}
