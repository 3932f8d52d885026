// Where answers that must stay secret go: a port, so that this room need not know how they are kept.

import type { Result } from '@plugboard/base';

export interface PluginSecrets {
  set(name: string, value: string): Promise<Result<unknown, unknown>>;
  remove(name: string): Promise<unknown>;
}
