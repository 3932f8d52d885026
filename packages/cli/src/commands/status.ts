// `plugboard status`: shows the running gateways of this user, with their servers, clients, traffic, and pending approvals and
// questions.

import { hostEnvironment } from '@plugboard/host/configuration';
import { processCount } from '@plugboard/host/processes';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import {
  type GatewayStatus,
  lostDocument,
  lostText,
  statusDocument,
  statusText,
} from '../print/gateway-status.ts';
import { settingsProblems, stateProblems } from './gateway-problems.ts';
import {
  consoleOf,
  logFile,
  lostGateways,
  type RunningGateway,
  runningGateways,
} from './running-gateways.ts';

export async function status(context: Context): Promise<ExitCode> {
  const { terminal, isJson } = context;
  const environment = hostEnvironment();
  const running = await runningGateways(environment);
  const unwritable = running.length === 0 ? [] : await stateProblems(environment);
  const seen = await Promise.all(
    running.map(async (gateway): Promise<GatewayStatus> => {
      const console = await consoleOf(gateway, environment);
      const state = await console.state(terminal.interrupted);
      const problems = [...unwritable, ...(await settingsProblems(gateway, environment))];
      const processes = await processCount(gateway.pid);
      return { ...factsOf(gateway, logFile(environment)), processes, problems, state };
    }),
  );
  const log = logFile(environment);
  const lost = await lostGateways(environment);
  if (isJson) {
    printJson(context, {
      gateways: seen.map(statusDocument),
      lost: lost.map((each) => lostDocument(each, log)),
    });
  } else {
    const { columns } = terminal.out;
    terminal.out.write(seen.map((each) => statusText(each, { columns, environment })).join('\n'));
    for (const each of lost) terminal.err.write(lostText(each, log, environment));
    if (seen.length === 0 && lost.length === 0) {
      terminal.err.write(
        'No gateway is running. Start one in the background: plugboard serve --background\n',
      );
    }
  }
  return seen.every(({ state }) => state.ok) ? EXIT.ok : EXIT.server;
}

function factsOf(
  { url, pid, keptBy, options, tokenFile }: RunningGateway,
  log: string,
): Omit<GatewayStatus, 'state' | 'processes' | 'problems'> {
  return { url, pid, keptBy, options, tokenFile, logFile: keptBy === undefined ? undefined : log };
}
