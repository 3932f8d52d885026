// `plugboard generate SERVER`: generates TypeScript source for the tools of a server, and prints it, writes it, or compares it
// with a file.

import { resolve } from 'node:path';
import type { ToolsReport } from '@plugboard/host';
import { hostEnvironment, readTextFile, writeFileAtomically } from '@plugboard/host/configuration';
import { systemCode } from '@plugboard/host/processes';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import { printError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { type Failure, outcomeError } from '../print/outcome.ts';
import { waiting } from '../print/progress.ts';
import { noteQuarantined, quarantinedForPrograms } from '../print/quarantine.ts';
import { subjectOf } from '../print/subject.ts';
import { unwritableError } from '../print/system-words.ts';
import { quote } from '../print/target.ts';
import { typedClient } from '../print/typed-client.ts';
import { UsageError } from '../usage-error.ts';
import { withHost } from './with-host.ts';

export interface GenerateRequest {
  readonly server: string;
  readonly output?: string;
  /** Only compare the file with the generated code. */
  readonly check?: true;
}

export function generate(context: Context, request: GenerateRequest): Promise<ExitCode> {
  const { server, output, check } = request;
  if (check === true && output === undefined) {
    throw new UsageError(
      '--check works only with --output',
      `name the file: plugboard generate ${quote(server)} --check --output FILE`,
    );
  }
  return withHost(context, server, async (host) => {
    // A stored list may be out of date, and the file is used for a long time.
    const report = await waiting(context, host, (signal) =>
      host.tools({ signal, fresh: true, servers: [server] }),
    );
    if (context.terminal.interrupted.aborted) return EXIT.usage;
    const failed = report.problems.find(isFailure);
    if (failed !== undefined) {
      printError(context, outcomeError(failed, subjectOf(host, server, context.adHoc)));
      return exitCodeOfOutcome(failed);
    }
    if (!context.isJson) noteQuarantined(context.terminal.err, report.quarantined);
    const code = typedClient(server, report.tools);
    if (output === undefined) return printCode(context, { server, report, code });
    return keepFile(context, { server, report, code, output, isOnlyCompared: check === true });
  });
}

function isFailure(outcome: ToolsReport['problems'][number]): outcome is Failure {
  return outcome.kind !== 'result' && 'server' in outcome;
}

interface Generated {
  readonly server: string;
  readonly report: ToolsReport;
  readonly code: string;
}

function printCode(context: Context, generated: Generated): ExitCode {
  if (context.isJson) printJson(context, { ...forPrograms(generated), code: generated.code });
  else context.terminal.out.write(generated.code);
  return EXIT.ok;
}

interface GeneratedFile extends Generated {
  readonly output: string;
  readonly isOnlyCompared: boolean;
}

async function keepFile(context: Context, generated: GeneratedFile): Promise<ExitCode> {
  const { server, code, output, isOnlyCompared } = generated;
  const file = resolve(hostEnvironment().cwd, output);
  const existing = await readTextFile(file, { maxBytes: MAX_BYTES });
  const isUpToDate = existing.ok && existing.value === code;
  if (!isUpToDate && isOnlyCompared) {
    printError(context, {
      kind: 'out-of-date',
      message: `"${output}" is not what server "${server}" has now`,
      fix: `write it again: plugboard generate ${quote(server)} --output ${quote(output)}`,
    });
    return EXIT.server;
  }
  if (!isUpToDate) await write(file, generated);
  const state = isUpToDate ? 'unchanged' : 'written';
  if (context.isJson) printJson(context, { ...forPrograms(generated), file, state });
  else context.terminal.err.write(fileWords(generated, state));
  return EXIT.ok;
}

async function write(file: string, { output, code }: GeneratedFile): Promise<void> {
  try {
    await writeFileAtomically(file, code);
  } catch (thrown) {
    const problem = systemCode(thrown);
    if (problem === undefined) throw thrown;
    throw unwritableError(`"${output}"`, problem);
  }
}

function fileWords(
  { output, report: { tools } }: GeneratedFile,
  state: 'written' | 'unchanged',
): string {
  if (state === 'unchanged') return `"${output}" is up to date.\n`;
  return `Wrote ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'} to "${output}".\n`;
}

function forPrograms({ server, report: { tools, quarantined } }: Generated) {
  return {
    server,
    tools: tools.map(({ tool }) => tool),
    quarantined: quarantinedForPrograms(quarantined),
  };
}

const MAX_BYTES = 64 * 1024 * 1024;
