// `plugboard serve --background` and `--stop`: one gateway for all clients of the user, run by a user service if the system
// has them, otherwise as a separate process. Starting it again changes nothing if it still runs. It runs in the home folder,
// so it has the user's servers and none of a project.

import { dirname } from 'node:path';
import { delay, never, stayAlive, systemClock } from '@plugboard/base';
import { type HostEnvironment, hostEnvironment, readTextFile } from '@plugboard/host/configuration';
import {
  ensureFolder,
  logSize,
  signalNoted,
  startInBackground,
  systemCode,
  withFileLock,
} from '@plugboard/host/processes';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { backgroundText, stoppedText } from '../print/gateway-words.ts';
import { startRefused } from '../print/gateway-problem-words.ts';
import { problemLines } from '../print/gateway-status.ts';
import { printJson } from '../print/json.ts';
import { shortPath } from '../print/place.ts';
import { oneLine } from '../print/sanitise.ts';
import { ownProgram } from '../terminal.ts';
import { CancelledError, UsageError } from '../usage-error.ts';
import { stateWriteError, settingsProblems } from './gateway-problems.ts';
import {
  backgroundGateway,
  demandAnswer,
  type Keeper,
  LOG_BYTES,
  logFile,
  type RunningGateway,
} from './running-gateways.ts';
import { reportLeftOut } from './left-out.ts';
import { UserService } from './user-service.ts';

const START_MS = 20_000;
const END_MS = 20_000;
const POLL_MS = 50;
/** The number of lines of the log to show if the gateway does not start. */
const LAST_LINES = 8;

/** `options` are the options of `serve` for the gateway. */
export async function serveInBackground(
  context: Context,
  options: readonly string[],
): Promise<ExitCode> {
  const environment = hostEnvironment();
  const { gateway, isNew } = await ensureInBackground(context, options, environment);
  if (!isNew && gateway.options.join('\0') !== options.join('\0')) {
    throw new UsageError(
      `a gateway runs in the background with other options: ${gateway.options.join(' ')}`,
      'end it first: plugboard serve --stop',
    );
  }
  const { url, pid, tokenFile, keptBy } = gateway;
  const log = logFile(environment);
  const shown = {
    url,
    pid,
    keptBy: keptBy ?? 'process',
    tokenFile: tokenFile ?? null,
    logFile: log,
  };
  if (context.isJson) printJson(context, { ...shown, isNew });
  else {
    context.terminal.err.write(backgroundText({ ...shown, isNew }, environment));
    context.terminal.err.write(problemLines(await settingsProblems(gateway, environment)));
    await reportLeftOut(context);
  }
  return EXIT.ok;
}

/** The running gateway, whatever its options, or a new one with these options. Throws if it does not answer. */
export function ensureInBackground(
  context: Context,
  options: readonly string[],
  environment: HostEnvironment,
): Promise<{ readonly gateway: RunningGateway; readonly isNew: boolean }> {
  return withLock(environment, async () => {
    const gateway = await backgroundGateway(environment);
    if (gateway === undefined) {
      return { gateway: await start(context, options, environment), isNew: true };
    }
    await demandAnswer(gateway, environment, context.terminal.interrupted);
    return { gateway, isNew: false };
  });
}

export async function stopBackground(context: Context): Promise<ExitCode> {
  const { terminal, isJson } = context;
  const environment = hostEnvironment();
  const { stopped, left } = await withLock(environment, async () => {
    const service = await UserService.find(environment);
    const running = await backgroundGateway(environment);
    if (service !== undefined && (await service.isInstalled())) {
      const done = await service.stop();
      if (!done.ok) terminal.err.write(`warning: ${done.error}\n`);
    }
    if (running === undefined) return {};
    signalNoted(running.note, 'SIGTERM');
    const isGone = await waitUntil(running.isGone, END_MS, terminal.interrupted);
    return isGone ? { stopped: running } : { left: running };
  });
  if (isJson)
    printJson(context, { stopped: stopped === undefined ? null : stoppedDocument(stopped) });
  else if (stopped !== undefined) terminal.err.write(stoppedText(stopped));
  else if (left === undefined) terminal.err.write('No gateway is running in the background.\n');
  if (left === undefined) return EXIT.ok;
  throw new UsageError(
    `the gateway at ${left.url} does not end`,
    `end its process yourself: kill -9 ${left.pid}`,
  );
}

function stoppedDocument({ url, pid }: RunningGateway): object {
  return { url, pid };
}

/** Runs `work` while no other command does. Without a writable folder there is no lock, and no gateway can start either. */
async function withLock<T>(environment: HostEnvironment, work: () => Promise<T>): Promise<T> {
  using _ = stayAlive();
  const log = logFile(environment);
  let hasStarted = false;
  try {
    await ensureFolder(dirname(log));
    return await withFileLock(log, { timeoutMs: START_MS + END_MS }, () => {
      hasStarted = true;
      return work();
    });
  } catch (thrown) {
    if (hasStarted || systemCode(thrown) === undefined) throw thrown;
    return await work();
  }
}

/** A gateway that is starting. */
interface Launch {
  readonly hasEnded: () => boolean;
  /** Ends the gateway and removes its service. */
  readonly giveUp: () => Promise<unknown>;
}

async function start(
  { terminal }: Context,
  options: readonly string[],
  environment: HostEnvironment,
): Promise<RunningGateway> {
  const log = logFile(environment);
  const sizeBefore = logSize(log);
  const launched =
    (await launchService(options, environment, terminal.err)) ??
    (await launchProcess(options, environment));
  if (typeof launched === 'string') throw await startError(launched, [], environment);
  const find = (): Promise<RunningGateway | undefined> => backgroundGateway(environment);
  const isDecided = async (): Promise<boolean> =>
    launched.hasEnded() || (await find()) !== undefined;
  const isDone = await waitUntil(isDecided, START_MS, terminal.interrupted);
  const running = await find();
  if (running !== undefined) return running;
  await launched.giveUp();
  if (terminal.interrupted.aborted) throw new CancelledError();
  const why = isDone ? 'it has ended' : `it is not there after ${START_MS / 1000} s`;
  throw await startError(why, await lastLines(log, sizeBefore), environment);
}

/** `undefined` if the system has no user services, or they do not work. */
async function launchService(
  options: readonly string[],
  environment: HostEnvironment,
  err: Context['terminal']['err'],
): Promise<Launch | undefined> {
  const service = await UserService.find(environment);
  if (service === undefined) return undefined;
  const { node, script } = ownProgram();
  const words = [node, script, 'serve', ...options, '--kept-by', 'service' satisfies Keeper];
  const asked = await service.start({ words, folder: environment.home, log: logFile(environment) });
  const giveUp = (): Promise<unknown> => service.stop();
  if (asked.ok) return { hasEnded: () => false, giveUp };
  await giveUp();
  err.write(`warning: the gateway cannot be a user service (${oneLine(asked.error)})\n`);
  return undefined;
}

async function launchProcess(
  options: readonly string[],
  environment: HostEnvironment,
): Promise<Launch | string> {
  const { node, script } = ownProgram();
  const child = await startInBackground({
    command: node,
    args: [script, 'serve', ...options, '--kept-by', 'process' satisfies Keeper],
    env: environment.env,
    cwd: environment.home,
    log: logFile(environment),
  });
  if (!child.ok) return child.error;
  let hasEnded = false;
  void child.value.exited.then(() => (hasEnded = true));
  return { hasEnded: () => hasEnded, giveUp: () => child.value.end() };
}

/** Without a writable folder there is no log, so the folder is the reason. */
async function startError(
  why: string,
  details: readonly string[],
  environment: HostEnvironment,
): Promise<UsageError> {
  const code = await stateWriteError(environment);
  if (code !== undefined) return startRefused(environment.paths.state, code, environment);
  const log = shortPath(logFile(environment), environment);
  const fix = `see its log, ${log}, or start it in the terminal: plugboard serve --http`;
  return new UsageError(`the gateway does not start: ${why}`, fix, { details });
}

/** The lines that were added to the log since it had the size `from`. */
async function lastLines(log: string, from: number): Promise<readonly string[]> {
  const read = await readTextFile(log, { maxBytes: 16 * LOG_BYTES });
  if (!read.ok) return [];
  const added = Buffer.from(read.value).subarray(from).toString('utf8');
  return added
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-LAST_LINES);
}

/** Whether the condition becomes true in time. False if the user stops the command. */
async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  withinMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const end = systemClock.elapsed() + withinMs;
  while (!(await condition())) {
    if (signal.aborted || systemClock.elapsed() > end) return false;
    await delay(POLL_MS, systemClock, never);
  }
  return true;
}
