// `plugboard console`: opens the console in a browser: that of the gateway in the background, if there is one, or else of a gateway that
// ends with the command.

import { openBrowser } from '@plugboard/host';
import type { Context } from '../context.ts';
import { type HostEnvironment, hostEnvironment } from '@plugboard/host/configuration';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { DEFAULT_ADDRESS, parseAddress } from '../given/http-address.ts';
import { consoleGatewayText, consoleText, type ServedGateway } from '../print/gateway-words.ts';
import { printJson } from '../print/json.ts';
import { noBrowserWords } from '../print/login-words.ts';
import { UsageError } from '../usage-error.ts';
import { backgroundGateway, consoleOf } from './running-gateways.ts';
import { type ServeFlags, serve } from './serve.ts';
import { browserMissing } from './sign-in-ways.ts';

export interface ConsoleFlags extends Pick<ServeFlags, 'include' | 'mode'> {
  readonly open: boolean;
  readonly port?: string;
}

/** Beside that of a gateway which clients know. Always the same, since browsers keep what a person chose by port. */
const USUAL_PORT = DEFAULT_ADDRESS.port + 1;

export async function openConsole(context: Context, flags: ConsoleFlags): Promise<ExitCode> {
  const { open, port, ...given } = flags;
  // Options about servers are for a gateway that is started with them.
  const isOwn = port !== undefined || Object.keys(given).some((name) => name !== 'json');
  const launched = isOwn ? undefined : await launchedInBackground(context);
  if (launched !== undefined) {
    await announce(context, { ...launched, open });
    return EXIT.ok;
  }
  const at = port === undefined ? USUAL_PORT : portOf(port);
  const served: ServeFlags = { ...given, http: String(at), token: true, console: true };
  return serve(context, served, {
    orAnyPort: port === undefined,
    announce: (told, environment) => announce(context, { told, environment, open }),
  });
}

interface Announced {
  readonly told: Pick<ServedGateway, 'url' | 'console'> & Partial<ServedGateway>;
  readonly environment: HostEnvironment;
  readonly open: boolean;
}

async function announce(context: Context, { told, environment, open }: Announced): Promise<void> {
  const { console: launch = '' } = told;
  if (context.isJson) {
    printJson({ ...context, json: 'events' }, told);
    return;
  }
  const { err } = context.terminal;
  const why = open ? browserMissing(environment) : 'asked';
  err.write(consoleText(launch, why === undefined ? 'opened' : 'printed'));
  err.write(consoleGatewayText(told));
  const found = why ?? (await openBrowser(launch, { environment })).kind;
  err.write(noBrowserWords(found));
}

/** The page of the gateway that runs for all clients, if there is one that answers. */
async function launchedInBackground({
  terminal,
}: Context): Promise<Pick<Announced, 'told' | 'environment'> | undefined> {
  const environment = hostEnvironment();
  const gateway = await backgroundGateway(environment);
  if (gateway === undefined) return undefined;
  const reached = await consoleOf(gateway, environment);
  const launch = await reached.launch(terminal.interrupted);
  if (!launch.ok) return undefined;
  return { told: { url: gateway.url, console: launch.value.url }, environment };
}

function portOf(given: string): number {
  if (/^\d{1,5}$/.test(given)) return parseAddress(given).port;
  throw new UsageError(
    `"${given}" is not a port`,
    'write a number from 0 to 65535; 0 is any free one',
  );
}
