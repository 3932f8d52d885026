// What a person may expect of a gateway in the background though it does not have it: it works in the home folder, so servers
// and rules of the folder that the person stands in do not count there.

import type { HostEnvironment } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { leftOutText, ruleLeftOutText } from '../print/gateway-words.ts';
import { readConfigured } from './configured.ts';
import { backgroundGateway } from './running-gateways.ts';

/** `plugboard add` writes into the folder by default, so this is where servers are missed. */
export async function tellLeftOut(context: Context): Promise<void> {
  const { configuration, environment } = await readConfigured(context);
  if (environment.cwd === environment.home) return;
  const names = configuration.servers
    .filter(({ scope, written }) => isOfFolder(scope) && !written.disabled)
    .map(({ name }) => name);
  if (names.length > 0) context.terminal.err.write(leftOutText(names));
}

function isOfFolder(scope: string): boolean {
  return scope === 'local' || scope === 'project';
}

/** About a rule that was written for a folder, where a gateway runs in the background. */
export async function tellRuleLeftOut(
  context: Context,
  again: string,
  environment: HostEnvironment,
): Promise<void> {
  if (environment.cwd === environment.home) return;
  if ((await backgroundGateway(environment)) === undefined) return;
  context.terminal.err.write(ruleLeftOutText(again));
}
