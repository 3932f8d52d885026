// `plugboard check`: runs saved calls and compares the results with the expected ones. The file may be part of the folder, so
// rules decide about each call. If no rule does, the user is asked, unless they passed --yes.

import { join } from 'node:path';
import {
  type Answered,
  deviations,
  isObject,
  type JsonObject,
  parseJson,
  readSavedCalls,
  type SavedCall,
  systemClock,
} from '@plugboard/base';
import { type Host, toModelText } from '@plugboard/host';
import { type HostEnvironment, hostEnvironment, readTextFile } from '@plugboard/host/configuration';
import { type HostRelay, type RelayResult, requestText } from '@plugboard/host/relay';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type CheckedCall, checkedText, checkSummary } from '../print/checks.ts';
import { printJson } from '../print/json.ts';
import { shortPath } from '../print/place.ts';
import { waiting } from '../print/progress.ts';
import { UsageError } from '../usage-error.ts';
import { withHost } from './with-host.ts';

/** The console saves calls in this file of the folder in which it was started. */
export const CHECKS_FILE = 'plugboard-checks.json';

export interface CheckFlags {
  readonly only?: readonly string[];
}

const LIMITS = { maxLength: 16 * 1024 * 1024, maxDepth: 100 };

export async function checkCalls(
  context: Context,
  files: readonly string[],
  { only = [] }: CheckFlags,
): Promise<ExitCode> {
  const environment = hostEnvironment();
  const named = files.length === 0 ? [CHECKS_FILE] : files;
  const calls = (
    await Promise.all(named.map((file) => savedCalls(join(environment.cwd, file), environment)))
  ).flat();
  const chosen = only.length === 0 ? calls : calls.filter(({ name }) => only.includes(name));
  const unknownName = only.find((name) => calls.every((call) => call.name !== name));
  if (unknownName !== undefined) {
    throw new UsageError(
      `there is no saved call "${unknownName}"`,
      `there are: ${calls.map(({ name }) => name).join(', ') || 'none'}`,
    );
  }
  return withHost({ ...context, callsFrom: 'file' }, undefined, async (host) => {
    const checked = await waiting(context, host, (signal) =>
      runAll(context, host, { chosen, signal }),
    );
    if (context.isJson) printJson(context, documentOf(checked));
    else context.terminal.out.write(checkSummary(checked));
    return exitCodeOf(checked);
  });
}

async function savedCalls(path: string, from: HostEnvironment): Promise<readonly SavedCall[]> {
  const file = shortPath(path, from);
  const text = await readTextFile(path, { maxBytes: LIMITS.maxLength });
  if (!text.ok) {
    throw new UsageError(
      `there are no saved calls in ${file} (${text.error.kind})`,
      'save one in the console: plugboard console; or name another file: plugboard check FILE',
    );
  }
  const parsed = parseJson(text.value, LIMITS);
  if (!parsed.ok)
    throw new UsageError(`${file} is not JSON`, 'correct it, or save the calls again');
  const read = readSavedCalls(parsed.value);
  if (read.ok) return read.value;
  const { at, reason } = read.error;
  throw new UsageError(
    `${file} is not a file of saved calls: ${at === '' ? '' : `at ${at}, `}${reason}`,
    'correct it: docs/console.md describes the file',
  );
}

/** Runs one call at a time, since a call may affect the next one. */
async function runAll(
  context: Context,
  host: Host,
  { chosen, signal }: { readonly chosen: readonly SavedCall[]; readonly signal: AbortSignal },
): Promise<readonly CheckedCall[]> {
  await using relay = host.relay(NO_CLIENT_FEATURES);
  const checked: CheckedCall[] = [];
  for (const call of chosen) {
    if (signal.aborted) break;
    const one = await runOne(relay, call, signal);
    checked.push(one);
    if (!context.isJson) context.terminal.out.write(checkedText(one));
  }
  return checked;
}

/** During a check, nobody answers requests of servers. */
const NO_CLIENT_FEATURES: Parameters<Host['relay']>[0] = {
  clientInfo: { name: 'plugboard-check', version: '1' },
  capabilities: {},
  request: () => Promise.resolve({ error: { code: -32_601, message: 'Method not found' } }),
  notification: () => {},
};

async function runOne(
  relay: HostRelay,
  call: SavedCall,
  signal: AbortSignal,
): Promise<CheckedCall> {
  const started = systemClock.elapsed();
  const response = await sendCall(relay, call, signal);
  const ms = Math.round(systemClock.elapsed() - started);
  const { problem, ...answer } = answerOf(response, call);
  const answered = { ...answer, ms };
  return { call, answered, problem, deviations: deviations(call.expect, answered) };
}

function sendCall(relay: HostRelay, { server, what }: SavedCall, signal: AbortSignal) {
  switch (what.kind) {
    case 'tool': {
      const params = { name: what.name, arguments: what.arguments };
      return relay.call({ server, tool: what.name }, params, { signal });
    }
    case 'prompt': {
      const params = { name: what.name, arguments: what.arguments };
      return relay.request(server, { method: 'prompts/get', params }, { signal });
    }
    case 'resource':
      return relay.request(
        server,
        { method: 'resources/read', params: { uri: what.uri } },
        { signal },
      );
    default:
      return what satisfies never;
  }
}

interface Answer extends Pick<Answered, 'outcome' | 'result'> {
  readonly problem: string | undefined;
}

function answerOf(response: RelayResult, { what }: SavedCall): Answer {
  if (response.ok) {
    const result: JsonObject = response.value;
    const isToolError = isObject(result) && result['isError'] === true;
    return { outcome: isToolError ? 'tool-error' : 'ok', result, problem: undefined };
  }
  const { kind } = response.error;
  return {
    outcome: kind === 'denied' || kind === 'quarantined' ? 'denied' : 'error',
    result: undefined,
    problem:
      what.kind === 'tool'
        ? toModelText(response.error)
        : requestText(response.error, `the ${what.kind}`),
  };
}

function documentOf(checked: readonly CheckedCall[]): object {
  const failed = checked.filter((each) => each.deviations.length > 0).length;
  return {
    passed: checked.length - failed,
    failed,
    checks: checked.map(({ call, answered, problem, deviations: found }) => ({
      name: call.name,
      server: call.server,
      isPassed: found.length === 0,
      outcome: answered.outcome,
      ms: answered.ms,
      ...(problem === undefined ? {} : { problem }),
      deviations: found,
    })),
  };
}

/** A separate exit code if all failures are denials, which the user can change with rules. */
function exitCodeOf(checked: readonly CheckedCall[]): ExitCode {
  const failed = checked.filter((each) => each.deviations.length > 0);
  if (failed.length === 0) return EXIT.ok;
  const areDenied = failed.every(({ answered }) => answered.outcome === 'denied');
  return areDenied ? EXIT.denied : EXIT.server;
}
