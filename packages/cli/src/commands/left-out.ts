// The servers of the folder that a person stands in, none of which a gateway in the background has, as it works in the home
// folder. `plugboard add` writes into the folder unless told otherwise, so this is where servers are missed.

import type { Context } from '../context.ts';
import { leftOutText } from '../print/gateway-words.ts';
import { readConfigured } from './configured.ts';

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
