// `run_command`: a command line in the working directory, with what it said and how it ended.

import { err, ok, type Result, toolFailure } from '@plugboard/base';
import {
  type CommandRun,
  runCommand as runToEnd,
  type SpawnFailure,
} from '@plugboard/host/processes';
import { z } from 'zod';
import { realFolder, realParts } from '../platform/index.ts';
import { commandEnvironment } from './command-environment.ts';
import { KeptOutput, type OutputText } from './kept-output.ts';
import { OutputNews } from './output-news.ts';
import { pathBelow, pathMessage } from './path-problem.ts';
import { defineTool, inputOf } from './tool.ts';

/**
 * The outer shell joins the streams, so that all output has one order, and closes the input. It runs bash where there
 * is one, as models write for bash.
 */
const STARTER =
  'exec 2>&1 </dev/null; if command -v bash >/dev/null; then exec bash -c "$1"; else exec sh -c "$1"; fi';

const LONGEST_COMMAND = 64 * 1024;

/** What a call may ask for; a workspace may grant less. */
const LONGEST_MS = 30 * 60_000;

const RUN_INPUT = inputOf({
  command: z.string().min(1).max(LONGEST_COMMAND).describe('As typed at a prompt of bash'),
  path: z.string().default('.').describe('The folder to run it in, inside the working directory'),
  timeout_ms: z.int().min(1).max(LONGEST_MS).optional().describe('120000 unless given'),
});

export const runCommand = defineTool({
  name: 'run_command',
  title: 'Run a command',
  description:
    'Runs a command in the working directory with bash (sh where there is none) and returns what it printed and its exit ' +
    'code. It cannot ask for input: there is no terminal, and stdin is empty. Environment variables with keys are not passed ' +
    'on. What it leaves running in the background is ended with it. Prefer edit_file and write_file for changing files.',
  reach: 'anything',
  input: RUN_INPUT,
  async run({ command, path, timeout_ms: wished }, { parts, signal, tell }) {
    const { root, limits, clock, env, ledger } = parts;
    if (command.includes('\0')) return toolFailure('a command cannot hold a NUL character');
    const folder = await folderBelow(root, path);
    if (!folder.ok) return toolFailure(folder.error);
    const kept = new KeptOutput(limits.outputBytes);
    const timeoutMs = Math.min(wished ?? limits.commandMs, limits.longestCommandMs);
    const started = clock.elapsed();
    using news = new OutputNews(tell, clock);
    const onOutput = (chunk: Buffer): void => {
      kept.take(chunk);
      news.heard(chunk);
    };
    const run = await runToEnd(
      {
        command: 'sh',
        args: ['-c', STARTER, 'sh', command],
        cwd: folder.value,
        env: commandEnvironment(env),
      },
      { signal, timeoutMs, maxBytes: Number.POSITIVE_INFINITY, onOutput },
      { clock, ledger },
    );
    const durationMs = Math.round(clock.elapsed() - started);
    return commandAnswer(run, kept.text(), { timeoutMs, durationMs });
  },
});

async function folderBelow(root: string, path: string): Promise<Result<string, string>> {
  const below = pathBelow(root, path === '' ? '.' : path);
  if (!below.ok) return err(pathMessage(below.error, path));
  const parts = await realParts(root, below.value);
  if (!parts.ok) return err(pathMessage(parts.error, path));
  const folder = await realFolder([root, ...parts.value].join('/'));
  return folder === undefined
    ? err(`${JSON.stringify(path)}: there is no such folder`)
    : ok(folder);
}

function commandAnswer(
  run: CommandRun,
  output: OutputText,
  { timeoutMs, durationMs }: { readonly timeoutMs: number; readonly durationMs: number },
) {
  switch (run.kind) {
    case 'not-started':
      return toolFailure(`the command could not be started: ${failureWords(run.failure)}`);
    case 'timeout':
      return toolFailure(
        `the command took longer than ${timeoutMs} ms and was ended; timeout_ms can be more. ${saidUntil(output)}`,
      );
    case 'cancelled':
      return toolFailure(
        `the command was ended, since the call was given up. ${saidUntil(output)}`,
      );
    case 'exited': {
      const { code, signal } = run.exit;
      const how = signal === null ? `exit code ${code}` : `ended by ${signal}`;
      const data = {
        exit_code: code,
        ...(signal === null ? {} : { signal }),
        omitted_bytes: output.omitted,
        duration_ms: durationMs,
      };
      const text = output.text === '' ? `${how}, and it printed nothing` : `${how}\n${output.text}`;
      return { kind: 'done' as const, text, data };
    }
    case 'too-large':
      // There is no limit: what is kept of the output has a bound of its own.
      throw new RangeError('a limit that was not given');
    default:
      throw new RangeError(`no such end: ${JSON.stringify(run satisfies never)}`);
  }
}

function saidUntil({ text }: OutputText): string {
  return text === '' ? 'It had printed nothing.' : `Until then it had printed:\n${text}`;
}

function failureWords(failure: SpawnFailure): string {
  switch (failure.kind) {
    case 'command-not-found':
      return 'there is no shell on this machine';
    case 'not-executable':
      return 'the shell may not be executed';
    case 'bad-cwd':
      return `${failure.cwd} is no folder to work in`;
    case 'spawn-failed':
      return failure.message;
    default:
      throw new RangeError(`no such failure: ${JSON.stringify(failure satisfies never)}`);
  }
}
