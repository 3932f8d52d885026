// Runs one hook: a command that receives the event as JSON on stdin and answers with JSON on stdout. Its time and
// output are limited, and every failure is returned as a value. The caller decides what a failure means.

import { err, type Json, ok, type Result } from '@plugboard/base';
import type { AdmittedHook } from '../admission/index.ts';
import { type Origin, programPath, PROJECT_VARIABLE } from '../config/index.ts';
import {
  type CommandPorts,
  type HostEnvironment,
  minimalEnvironment,
  openStartFolder,
  runCommand,
  wordsOnlyIn,
} from '../platform/index.ts';
import { type HookAnswer, type HookKey, MAX_HOOK_OUTPUT, readHookAnswer } from '../policy/index.ts';

/** A hook that failed or blocked. `reason` may contain text of the command, which is hostile. */
export interface HookFailure {
  readonly event: AdmittedHook['event'];
  readonly origin: Origin;
  readonly reason: string;
}

/** `undefined` if it was aborted. */
export async function runHook(
  hook: AdmittedHook,
  request: { readonly input: Json; readonly key: HookKey; readonly signal: AbortSignal },
  { environment, clock, ledger }: CommandPorts,
): Promise<Result<HookAnswer, HookFailure> | undefined> {
  const { event, origin, run, timeoutMs } = hook;
  const failed = (reason: string): Result<never, HookFailure> => err({ event, origin, reason });
  const notRun = async (reason: string): Promise<Result<never, HookFailure>> =>
    failed(`${reason}${await folderHint(hook, environment)}`);
  if (run.kind === 'unclear') return failed(run.reason);
  const [command, ...args] = run.kind === 'shell' ? ['sh', '-c', run.line] : run.argv;
  const cwd = openStartFolder(hook.startsIn, environment);
  const ended = await runCommand(
    { command: programOf(command, hook), args, env: environmentOf(hook, environment), cwd },
    {
      signal: request.signal,
      timeoutMs,
      maxBytes: MAX_HOOK_OUTPUT,
      input: `${JSON.stringify(request.input)}\n`,
    },
    { clock, ledger },
  );
  switch (ended.kind) {
    case 'cancelled':
      return undefined;
    case 'not-started':
      return notRun(`could not be started (${ended.failure.kind})`);
    case 'timeout':
      return failed(`took longer than ${ended.ms} ms`);
    case 'too-large':
      return failed(`printed more than ${ended.limit} bytes`);
    case 'exited': {
      const { exit, stdout, stderr } = ended;
      if (exit.code !== 0) {
        const last = stderr.at(-1);
        const how = exit.code === null ? `was ended by ${exit.signal}` : `exited with ${exit.code}`;
        return notRun(last === undefined ? how : `${how}: ${last}`);
      }
      const answer = readHookAnswer(stdout, request.key);
      return answer.ok ? ok(answer.value) : failed(answer.error);
    }
    default:
      return ended satisfies never;
  }
}

/** Explains why a file of the project that the command names is not found in its start folder. */
async function folderHint(
  { run, startsIn }: AdmittedHook,
  { cwd }: Pick<HostEnvironment, 'cwd'>,
): Promise<string> {
  if (run.kind === 'unclear') return '';
  const words = run.kind === 'shell' ? run.line.split(/\s+/) : run.argv;
  const missing = await wordsOnlyIn(words, { folder: cwd, startsIn });
  if (missing.length === 0) return '';
  return `; it starts in ${startsIn}: to start it in the project, write "cwd": "project" in its entry`;
}

/** A relative path is relative to the hook's file, or to its `cwd` if it states one. */
function programOf(command: string, { cwd, folder }: AdmittedHook): string {
  return programPath(command, cwd === undefined ? folder : undefined);
}

/** A hook that came with a project gets only what programs need of the user's environment. */
function environmentOf(
  { event, isForeign }: AdmittedHook,
  { env, cwd }: Pick<HostEnvironment, 'env' | 'cwd'>,
): Readonly<Record<string, string>> {
  const named = { PLUGBOARD_HOOK: event, [PROJECT_VARIABLE]: cwd };
  if (isForeign) return minimalEnvironment(env, named);
  const own = Object.entries(env).filter(
    (variable): variable is [string, string] => variable[1] !== undefined,
  );
  return { ...Object.fromEntries(own), ...named };
}
