// `plugboard stop [NAME]`: stops running shared servers, even if other programs use them.

import { systemClock } from '@plugboard/base';
import { closestName, hostEnvironment } from '@plugboard/host/configuration';
import { runningBrokers, socketFolderOf, stopBroker } from '@plugboard/host/shared-servers';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { oneLine } from '../print/sanitise.ts';
import { runningForPrograms, usedBy } from '../print/shared-words.ts';
import { UsageError } from '../usage-error.ts';
import { readConfigured, unknownServer } from './configured.ts';

export async function stop(context: Context, name: string | undefined): Promise<ExitCode> {
  const folder = socketFolderOf(hostEnvironment());
  const running = folder === undefined ? [] : await runningBrokers(folder, systemClock);
  const wanted = running.filter((each) => name === undefined || each.name === name);
  if (name !== undefined && wanted.length === 0) {
    await refuseUnknown(
      context,
      name,
      running.map((each) => each.name),
    );
  }
  const ended = await Promise.all(
    wanted.map(async (each) => ({ each, isGone: await stopBroker(each.socket, systemClock) })),
  );
  const stopped = ended.filter(({ isGone }) => isGone).map(({ each }) => each);
  const left = ended.filter(({ isGone }) => !isGone).map(({ each }) => each);
  if (context.isJson) {
    printJson(context, {
      stopped: stopped.map((each) => ({ name: each.name, ...runningForPrograms(each) })),
      left: left.map((each) => ({ name: each.name, ...runningForPrograms(each) })),
    });
  } else {
    const { out, err } = context.terminal;
    for (const each of stopped) out.write(`Stopped ${quotedName(each.name)}; ${usedBy(each)}.\n`);
    for (const { name: of, pid } of left) {
      err.write(`${quotedName(of)} does not end. End its broker yourself: kill -9 ${pid}\n`);
    }
    if (wanted.length === 0) {
      err.write(
        name === undefined
          ? 'No shared server is running.\n'
          : `${quotedName(name)} is not running as a shared server.\n`,
      );
    }
  }
  return left.length === 0 ? EXIT.ok : EXIT.usage;
}

/** Throws if no server has the name, here or in another folder. */
async function refuseUnknown(
  context: Context,
  name: string,
  running: readonly string[],
): Promise<void> {
  const configured = await readConfigured(context);
  const { servers, rejected } = configured.configuration;
  if ([...servers, ...rejected].some((each) => each.name === name)) return;
  const nearest = closestName(name, running);
  if (nearest === undefined) throw unknownServer(name, configured);
  const fix = `did you mean "${oneLine(nearest)}"?`;
  throw new UsageError(`there is no server "${name}"`, fix, { kind: 'unknown-server' });
}

function quotedName(name: string): string {
  return name === '' ? 'a server that does not answer' : `"${oneLine(name)}"`;
}
