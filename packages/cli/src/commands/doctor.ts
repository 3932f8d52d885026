// `plugboard doctor [NAME]`: explains why a server does not work: each step, the failed one, the last output of the server,
// and the fix.

import type { Host } from '@plugboard/host';
import {
  type ConfiguredServer,
  findProgram,
  type FoundProgram,
  type HostEnvironment,
  programPath,
  wordsOnlyIn,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import { type ShownError, writeError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { paint } from '../print/paint.ts';
import { startsElsewhere } from '../print/starts-elsewhere.ts';
import { noteQuarantined } from '../print/quarantine.ts';
import { grid } from '../print/table.ts';
import type { Output } from '../terminal.ts';
import { checkServers, type ServerCheck } from './check-servers.ts';
import { unknownServer } from './configured.ts';
import { type Step, stepsOf } from './doctor-steps.ts';
import { checkProblem } from './list-check.ts';
import { sharedRunning } from './shared-running.ts';
import { withHost } from './with-host.ts';

export async function doctor(context: Context, name: string | undefined): Promise<ExitCode> {
  if (name === undefined) {
    const { examineAll } = await import('./doctor-all.ts');
    return examineAll(context);
  }
  return withHost(context, name, async (host, configured) => {
    const { environment, configuration } = configured;
    const server = configuration.servers.find((candidate) => candidate.name === name);
    if (server === undefined) throw unknownServer(name, configured);
    const program = await programOf(server, environment);
    const check = await checkUntilSettled(context, host, name);
    const signIn = (await host.signIns()).find((each) => each.server === name && each.isInUse);
    const running = (await sharedRunning([server], environment)).get(name);
    const steps = stepsOf({
      server,
      program,
      check,
      signIn,
      running,
      from: environment,
      adHoc: context.adHoc,
    });
    const problem = await withFolderHint(
      checkProblem(check, host, context.adHoc),
      server,
      environment,
    );
    if (context.isJson) {
      printJson(context, { name, works: problem === null, steps, problem });
    } else {
      writeScreen(context.terminal.out, { name, named: context.adHoc ?? name, steps, problem });
      noteQuarantined(context.terminal.out, check.quarantined);
    }
    return check.problem === undefined ? EXIT.ok : exitCodeOfOutcome(check.problem);
  });
}

async function programOf(
  { resolved }: ConfiguredServer,
  { env, cwd }: HostEnvironment,
): Promise<FoundProgram | undefined> {
  if (resolved.kind !== 'ready' || resolved.entry.kind !== 'stdio') return undefined;
  const { entry } = resolved;
  const searched = entry.env['PATH'] ?? env['PATH'] ?? env['Path'] ?? '';
  const command = programPath(entry.command, entry.programFolder);
  return findProgram({ command, cwd: entry.cwd ?? cwd, searched });
}

/** Adds advice if the command names files of the current folder, but starts in another. */
async function withFolderHint(
  problem: ShownError | null,
  { resolved }: ConfiguredServer,
  environment: HostEnvironment,
): Promise<ShownError | null> {
  if (problem === null || resolved.kind !== 'ready' || resolved.entry.kind !== 'stdio') {
    return problem;
  }
  const { args, cwd: startsIn = environment.cwd } = resolved.entry;
  const words = await wordsOnlyIn(args, { folder: environment.cwd, startsIn });
  return words.length === 0 ? problem : startsElsewhere(problem, { words, startsIn, environment });
}

/** Attempts for a server that exits after it has answered: one more than the crashes after which the host gives up. */
const MAX_TRIES = 6;

/** Tries again if the server exits after it has answered, since it may do so every time. */
async function checkUntilSettled(context: Context, host: Host, name: string): Promise<ServerCheck> {
  let ready: ServerCheck['ready'];
  for (let tries = 1; ; tries += 1) {
    const [check] = await checkServers(context, host, [name]);
    // There is one check, since one name was given.
    const found = check as ServerCheck;
    ready = found.ready ?? ready;
    // The server may exit after its first answer, but before it is ready.
    const hasAnswered =
      ready !== undefined || host.trace(name).some(({ direction }) => direction === 'received');
    const isOver = !hasAnswered || !hasDied(found);
    if (isOver || tries === MAX_TRIES) return { ...found, ready };
  }
}

function hasDied({ problem }: ServerCheck): boolean {
  if (problem?.kind !== 'not-connected') return false;
  return problem.reason.kind === 'exited' || problem.reason.kind === 'closed';
}

interface Screen {
  readonly name: string;
  /** The server as a command names it. */
  readonly named: string;
  readonly steps: readonly Step[];
  readonly problem: ShownError | null;
}

function writeScreen(out: Output, { name, named, steps, problem }: Screen): void {
  const verdict = problem === null ? `Server "${name}" works.` : `Server "${name}" does not work.`;
  const rows = steps.map(({ step, state, detail }) => [state, step, detail]);
  out.write(`${paint(out, 'bold', verdict)}\n\n${indented(grid(rows, out.columns - 2, 'wrap'))}\n`);
  if (problem === null) out.write(`See what it can do: plugboard tools ${named}\n`);
  else writeError(out, problem);
}

/** Indented afterwards, because a grid trims its cells. */
function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gmu, '  ');
}
