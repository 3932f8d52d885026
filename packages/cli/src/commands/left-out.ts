// Warns about servers and rules of the current folder that the gateway in the background does not use, since it runs in the
// home folder.

import type { HostEnvironment } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { leftOutText, ruleLeftOutText } from '../print/gateway-words.ts';
import { readConfigured } from './configured.ts';
import { backgroundGateway } from './running-gateways.ts';

/** `plugboard add` writes into the folder by default, so users may miss those servers in the gateway. */
export async function reportLeftOut(context: Context): Promise<void> {
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

/** Warns about a new rule of the folder, if a gateway runs in the background. */
export async function reportRuleLeftOut(
  context: Context,
  again: string,
  environment: HostEnvironment,
): Promise<void> {
  if (environment.cwd === environment.home) return;
  if ((await backgroundGateway(environment)) === undefined) return;
  context.terminal.err.write(ruleLeftOutText(again));
}
