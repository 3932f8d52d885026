// `plugboard serve --background` and `--stop`: one gateway for all clients of the user, kept by a user service where
// the system has one, otherwise as a separate process. There is only one: starting it again changes nothing, and one
// that was killed is started again. It runs in the home folder, so it has the user's servers and none of a project.

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
import { refusedInState, settingsProblems } from './gateway-problems.ts';
import {
  backgroundGateway,
  demandAnswer,
  type Keeper,
  LOG_BYTES,
  logFile,
  type RunningGateway,
} from './running-gateways.ts';
import { tellLeftOut } from './left-out.ts';
import { UserService } from './user-service.ts';

const STARTS_MS = 20_000;
const ENDS_MS = 20_000;
const LOOK_MS = 50;
/** Of its log, where it does not start. */
const LAST_LINES = 8;

/** `options` are those of `serve` that the gateway is to have. */
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
  const told = {
    url,
    pid,
    keptBy: keptBy ?? 'process',
    tokenFile: tokenFile ?? null,
    logFile: log,
  };
  if (context.isJson) printJson(context, { ...told, isNew });
  else {
    context.terminal.err.write(backgroundText({ ...told, isNew }, environment));
    context.terminal.err.write(problemLines(await settingsProblems(gateway, environment)));
    await tellLeftOut(context);
  }
  return EXIT.ok;
}

/** The one that runs and answers, whatever its options; otherwise one that is started with these. */
export function ensureInBackground(
  context: Context,
  options: readonly string[],
  environment: HostEnvironment,
): Promise<{ readonly gateway: RunningGateway; readonly isNew: boolean }> {
  return alone(environment, async () => {
    const gateway = await backgroundGateway(environment);
    if (gateway === undefined) {
      return { gateway: await started(context, options, environment), isNew: true };
    }
    await demandAnswer(gateway, environment, context.terminal.interrupted);
    return { gateway, isNew: false };
  });
}

export async function stopBackground(context: Context): Promise<ExitCode> {
  const { terminal, isJson } = context;
  const environment = hostEnvironment();
  const { stopped, left } = await alone(environment, async () => {
    const service = await UserService.find(environment);
    const running = await backgroundGateway(environment);
    if (service !== undefined && (await service.isThere())) {
      const done = await service.stop();
      if (!done.ok) terminal.err.write(`warning: ${done.error}\n`);
    }
    if (running === undefined) return {};
    signalNoted(running.note, 'SIGTERM');
    const isGone = await until(running.isGone, ENDS_MS, terminal.interrupted);
    return isGone ? { stopped: running } : { left: running };
  });
  if (isJson) printJson(context, { stopped: stopped === undefined ? null : shown(stopped) });
  else if (stopped !== undefined) terminal.err.write(stoppedText(stopped));
  else if (left === undefined) terminal.err.write('No gateway is running in the background.\n');
  if (left === undefined) return EXIT.ok;
  throw new UsageError(
    `the gateway at ${left.url} does not end`,
    `end its process yourself: kill -9 ${left.pid}`,
  );
}

function shown({ url, pid }: RunningGateway): object {
  return { url, pid };
}

/** Of several commands at a time, one works on it. Where nothing can be written there is no lock, and none can start one. */
async function alone<T>(environment: HostEnvironment, work: () => Promise<T>): Promise<T> {
  using _ = stayAlive();
  const log = logFile(environment);
  let hasBegun = false;
  try {
    await ensureFolder(dirname(log));
    return await withFileLock(log, { timeoutMs: STARTS_MS + ENDS_MS }, () => {
      hasBegun = true;
      return work();
    });
  } catch (thrown) {
    if (hasBegun || systemCode(thrown) === undefined) throw thrown;
    return await work();
  }
}

/** A gateway on its way. */
interface Launch {
  readonly hasEnded: () => boolean;
  /** Nothing of it stays. */
  readonly giveUp: () => Promise<unknown>;
}

async function started(
  { terminal }: Context,
  options: readonly string[],
  environment: HostEnvironment,
): Promise<RunningGateway> {
  const log = logFile(environment);
  const saidBefore = logSize(log);
  const launched =
    (await launchService(options, environment, terminal.err)) ??
    (await launchProcess(options, environment));
  if (typeof launched === 'string') throw await notStarted(launched, [], environment);
  const find = (): Promise<RunningGateway | undefined> => backgroundGateway(environment);
  const isDecided = async (): Promise<boolean> =>
    launched.hasEnded() || (await find()) !== undefined;
  const isInTime = await until(isDecided, STARTS_MS, terminal.interrupted);
  const running = await find();
  if (running !== undefined) return running;
  await launched.giveUp();
  if (terminal.interrupted.aborted) throw new CancelledError();
  const why = isInTime ? 'it has ended' : `it is not there after ${STARTS_MS / 1000} s`;
  throw await notStarted(why, await lastLines(log, saidBefore), environment);
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

/** Where nothing can be written, its log cannot tell. */
async function notStarted(
  why: string,
  details: readonly string[],
  environment: HostEnvironment,
): Promise<UsageError> {
  const code = await refusedInState(environment);
  if (code !== undefined) return startRefused(environment.paths.state, code, environment);
  const log = shortPath(logFile(environment), environment);
  const fix = `see its log, ${log}, or start it in the terminal: plugboard serve --http`;
  return new UsageError(`the gateway does not start: ${why}`, fix, { details });
}

/** What was written to the log since. */
async function lastLines(log: string, from: number): Promise<readonly string[]> {
  const read = await readTextFile(log, { maxBytes: 16 * LOG_BYTES });
  if (!read.ok) return [];
  const added = Buffer.from(read.value).subarray(from).toString('utf8');
  return added
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-LAST_LINES);
}

/** Whether it became true within this time; not, where the person stopped the command. */
async function until(
  isSo: () => boolean | Promise<boolean>,
  withinMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const end = systemClock.elapsed() + withinMs;
  while (!(await isSo())) {
    if (signal.aborted || systemClock.elapsed() > end) return false;
    await delay(LOOK_MS, systemClock, never);
  }
  return true;
}
