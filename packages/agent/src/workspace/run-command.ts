// `run_command`: runs a command line in the working directory and returns its output and its end, or starts it as a job in
// the background.

import { err, ok, type Result, type ToolAnswer, toolFailure } from '@plugboard/base';
import { runCommand as runToEnd } from '@plugboard/host/processes';
import { z } from 'zod';
import { realFolder, realParts } from '../platform/index.ts';
import { type CommandEnd, commandEnd } from './command-end.ts';
import { commandEnvironment } from './command-environment.ts';
import { KeptOutput, type OutputText } from './kept-output.ts';
import { OutputNews } from './output-news.ts';
import { pathBelow, pathMessage } from './path-problem.ts';
import { defineTool, inputOf } from './tool.ts';
import type { WorkspaceParts } from './workspace-parts.ts';

/**
 * The outer shell joins the streams, so that all output has one order, and closes the input. It runs bash where there
 * is one, as models write for bash.
 */
const STARTER =
  'exec 2>&1 </dev/null; if command -v bash >/dev/null; then exec bash -c "$1"; else exec sh -c "$1"; fi';

const LONGEST_COMMAND = 64 * 1024;

/** The maximum for a call; a workspace may allow less. */
const LONGEST_MS = 30 * 60_000;

const RUN_INPUT = inputOf({
  command: z.string().min(1).max(LONGEST_COMMAND).describe('As typed at a prompt of bash'),
  path: z.string().default('.').describe('The folder to run it in, inside the working directory'),
  timeout_ms: z
    .int()
    .min(1)
    .max(LONGEST_MS)
    .optional()
    .describe('120000 unless given; in the background none unless given'),
  background: z
    .boolean()
    .default(false)
    .describe('Return at once with the number of a job, for servers, watchers and long builds'),
});

export const runCommand = defineTool({
  name: 'run_command',
  title: 'Run a command',
  description:
    'Runs a command in the working directory with bash (sh where there is none) and returns what it printed and its exit ' +
    'code. It cannot ask for input: there is no terminal, and stdin is empty. Environment variables with keys are not passed ' +
    'on. What it leaves running is ended with it: for what is to go on, set background, then use read_job and stop_job. ' +
    'Prefer edit_file and write_file for changing files.',
  reach: 'anything',
  effect: 'changes',
  input: RUN_INPUT,
  async run({ command, path, timeout_ms: requestedMs, background }, { parts, signal, tell }) {
    const { root, limits, clock } = parts;
    if (command.includes('\0')) return toolFailure('a command cannot hold a NUL character');
    const folder = await folderBelow(root, path);
    if (!folder.ok) return toolFailure(folder.error);
    const started = { command, folder: folder.value };
    if (background) return startJob(started, requestedMs, parts);
    const kept = new KeptOutput(limits.outputBytes);
    const timeoutMs = Math.min(requestedMs ?? limits.commandMs, limits.longestCommandMs);
    const begin = clock.elapsed();
    using news = new OutputNews(tell, clock);
    const onOutput = (chunk: Buffer): void => {
      kept.take(chunk);
      news.take(chunk);
    };
    const run = await runStarted(started, { signal, timeoutMs, onOutput }, parts);
    const durationMs = Math.round(clock.elapsed() - begin);
    return commandAnswer(run, kept.text(), durationMs);
  },
});

interface StartedCommand {
  readonly command: string;
  /** The folder that it runs in. */
  readonly folder: string;
}

interface CommandBounds {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onOutput: (chunk: Buffer) => void;
}

async function runStarted(
  { command, folder }: StartedCommand,
  bounds: CommandBounds,
  { clock, env, ledger }: WorkspaceParts,
): Promise<CommandEnd> {
  const run = await runToEnd(
    {
      command: 'sh',
      args: ['-c', STARTER, 'sh', command],
      cwd: folder,
      env: commandEnvironment(env),
    },
    { ...bounds, maxBytes: Number.POSITIVE_INFINITY },
    { clock, ledger },
  );
  if (run.kind === 'too-large') throw new RangeError('a limit that was not given');
  return run;
}

function startJob(
  started: StartedCommand,
  timeoutMs: number | undefined,
  parts: WorkspaceParts,
): ToolAnswer {
  const job = parts.jobs.start(started.command, (onOutput, stop) => {
    const signal = AbortSignal.any([stop, parts.closing]);
    const bounds = { signal, timeoutMs: timeoutMs ?? Number.POSITIVE_INFINITY, onOutput };
    const running = runStarted(started, bounds, parts);
    parts.running.add(running);
    return running.finally(() => parts.running.delete(running));
  });
  if (!job.ok) return toolFailure(job.error);
  const { id } = job.value;
  return {
    kind: 'done',
    text: `job ${id} runs in the background. read_job shows what it prints and waits for it, stop_job ends it. It is ended when the user leaves.`,
    data: { job: id },
  };
}

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

function commandAnswer(run: CommandEnd, output: OutputText, durationMs: number): ToolAnswer {
  switch (run.kind) {
    case 'not-started':
      return toolFailure(`the command ${commandEnd(run)}`);
    case 'timeout':
      return toolFailure(
        `the command ${commandEnd(run)}; timeout_ms can be more. ${outputSoFar(output)}`,
      );
    case 'cancelled':
      return toolFailure(
        `the command was ended, since the call was given up. ${outputSoFar(output)}`,
      );
    case 'exited': {
      const { code, signal } = run.exit;
      const how = commandEnd(run);
      const data = {
        exit_code: code,
        ...(signal === null ? {} : { signal }),
        omitted_bytes: output.omitted,
        duration_ms: durationMs,
      };
      const text = output.text === '' ? `${how}, and it printed nothing` : `${how}\n${output.text}`;
      return { kind: 'done', text, data };
    }
    default:
      throw new RangeError(`no such end: ${JSON.stringify(run satisfies never)}`);
  }
}

function outputSoFar({ text }: OutputText): string {
  return text === '' ? 'It had printed nothing.' : `Until then it had printed:\n${text}`;
}
