// `plugboard logs NAME` and `plugboard trace NAME`: shows the records of earlier commands from files.

import { fingerprintOf, readLog, readTrace, recordFiles } from '@plugboard/host/recorded';
import type { RecordFiles } from '@plugboard/host/recorded';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { logLines, logText, traceRows, traceTable } from '../print/records.ts';
import { UsageError } from '../usage-error.ts';
import { type CommandConfiguration, readConfigured, unknownServer } from './configured.ts';

export interface RecordsRequest {
  readonly what: 'logs' | 'trace';
  readonly server: string;
  readonly lines: string;
}

export async function showRecords(context: Context, request: RecordsRequest): Promise<ExitCode> {
  const last = countOf(request.lines);
  const configured = await readConfigured(context);
  const files = filesOf(request.server, configured);
  const { out, err } = context.terminal;
  if (request.what === 'logs') {
    const lines = files === undefined ? [] : await readLog(files.log, last);
    if (context.isJson) printJson(context, { name: request.server, lines: logLines(lines) });
    else out.write(logText(lines));
    if (lines.length === 0 && !context.isJson) err.write(noRecordsText(request));
  } else {
    const frames = files === undefined ? [] : await readTrace(files.trace, last);
    if (context.isJson) printJson(context, { name: request.server, frames: traceRows(frames) });
    else if (frames.length > 0) out.write(traceTable(frames, out.columns));
    if (frames.length === 0 && !context.isJson) err.write(noRecordsText(request));
  }
  return EXIT.ok;
}

function noRecordsText({ what, server }: RecordsRequest): string {
  return what === 'logs'
    ? `Server "${server}" has logged nothing yet.\n`
    : `Server "${server}" has no recorded messages yet.\n`;
}

/** `undefined` if a variable is not set, since the fingerprint of the server depends on it. */
function filesOf(name: string, configured: CommandConfiguration): RecordFiles | undefined {
  const { configuration, environment } = configured;
  const server = configuration.servers.find((candidate) => candidate.name === name);
  if (server === undefined) throw unknownServer(name, configured);
  if (server.resolved.kind !== 'ready') return undefined;
  const fingerprint = fingerprintOf(server.resolved.entry, environment.cwd);
  if (fingerprint === undefined) return undefined;
  return recordFiles(environment.paths.state, { name, fingerprint });
}

const MAX_LINES = 100_000;

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0 && count <= MAX_LINES) return count;
  throw new UsageError(`"${text}" is not a number of lines`, 'give a whole number, such as -n 20');
}
