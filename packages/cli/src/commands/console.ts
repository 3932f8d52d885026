// `plugboard console`: opens the console in a browser. It belongs to the gateway in the background if there is one, otherwise
// to a gateway that ends with the command.

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
import { noBrowserReason } from './sign-in-ways.ts';

export interface ConsoleFlags extends Pick<ServeFlags, 'include' | 'mode'> {
  readonly open: boolean;
  readonly port?: string;
}

/** Next to the usual port of a gateway. Always the same, since browsers store preferences by port. */
const DEFAULT_PORT = DEFAULT_ADDRESS.port + 1;

export async function openConsole(context: Context, flags: ConsoleFlags): Promise<ExitCode> {
  const { open, port, ...given } = flags;
  // Options about servers require a gateway of its own.
  const hasOptions = port !== undefined || Object.keys(given).some((name) => name !== 'json');
  const launched = hasOptions ? undefined : await launchInBackground(context);
  if (launched !== undefined) {
    await announce(context, { ...launched, open });
    return EXIT.ok;
  }
  const at = port === undefined ? DEFAULT_PORT : portOf(port);
  const served: ServeFlags = { ...given, http: String(at), token: true, console: true };
  return serve(context, served, {
    orAnyPort: port === undefined,
    announce: (gateway, environment) => announce(context, { gateway, environment, open }),
  });
}

interface Announcement {
  readonly gateway: Pick<ServedGateway, 'url' | 'console'> & Partial<ServedGateway>;
  readonly environment: HostEnvironment;
  readonly open: boolean;
}

async function announce(
  context: Context,
  { gateway, environment, open }: Announcement,
): Promise<void> {
  const { console: launch = '' } = gateway;
  if (context.isJson) {
    printJson({ ...context, json: 'events' }, gateway);
    return;
  }
  const { err } = context.terminal;
  const why = open ? noBrowserReason(environment) : 'asked';
  err.write(consoleText(launch, why === undefined ? 'opened' : 'printed'));
  err.write(consoleGatewayText(gateway));
  const opening = why ?? (await openBrowser(launch, { environment })).kind;
  err.write(noBrowserWords(opening));
}

/** The console of the gateway in the background, if that answers. */
async function launchInBackground({
  terminal,
}: Context): Promise<Pick<Announcement, 'gateway' | 'environment'> | undefined> {
  const environment = hostEnvironment();
  const gateway = await backgroundGateway(environment);
  if (gateway === undefined) return undefined;
  const reached = await consoleOf(gateway, environment);
  const launch = await reached.launch(terminal.interrupted);
  if (!launch.ok) return undefined;
  return { gateway: { url: gateway.url, console: launch.value.url }, environment };
}

function portOf(given: string): number {
  if (/^\d{1,5}$/.test(given)) return parseAddress(given).port;
  throw new UsageError(
    `"${given}" is not a port`,
    'write a number from 0 to 65535; 0 is any free one',
  );
}
