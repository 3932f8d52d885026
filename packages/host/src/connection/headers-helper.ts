// Runs the command that an entry names to obtain headers. It runs without a shell and within limits. Its output is
// checked like the headers of an entry and never shown. The caller decides when to run it.

import { err, isObject, ok, parseJson, type Result } from '@plugboard/base';
import {
  HEADER_NAME,
  isHeaderValue,
  PROJECT_VARIABLE,
  type SplitCommand,
  type SplitProblem,
} from '../config/index.ts';
import {
  type CommandPorts,
  type HostEnvironment,
  minimalEnvironment,
  openStartFolder,
  type ProcessExit,
  runCommand,
  type SpawnFailure,
} from '../platform/index.ts';

const HELPER_LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024 } as const;

/** Why there are no headers. `stderr` is text from the command: hostile. */
export type HelperFault =
  | { readonly kind: 'bad-command'; readonly problem: SplitProblem }
  | { readonly kind: 'not-started'; readonly failure: SpawnFailure }
  | { readonly kind: 'exited'; readonly exit: ProcessExit; readonly stderr: readonly string[] }
  | { readonly kind: 'timeout'; readonly ms: number; readonly stderr: readonly string[] }
  | { readonly kind: 'too-large'; readonly limit: number; readonly stderr: readonly string[] }
  | {
      readonly kind: 'bad-output';
      readonly problem: OutputProblem;
      readonly stderr: readonly string[];
    };

export type OutputProblem = 'not-json' | 'not-an-object' | 'bad-name' | 'not-text' | 'bad-value';

export type Headers = Readonly<Record<string, string>>;

export interface HeadersHelper {
  readonly command: SplitCommand;
  readonly server: string;
  /** As it may be shown. */
  readonly url: string;
  /** The entry came with a project or a plugin, not from the user. */
  readonly isForeign: boolean;
  /** The folder in which it starts; by default that of the host. */
  readonly startsIn?: string | undefined;
}

/** Returns `undefined` if it was aborted. */
export async function runHelper(
  helper: HeadersHelper,
  signal: AbortSignal,
  { environment, clock, ledger }: CommandPorts,
): Promise<Result<Headers, HelperFault> | undefined> {
  const { command, startsIn = environment.cwd } = helper;
  const cwd = openStartFolder(startsIn, environment);
  const run = await runCommand(
    { ...command, env: helperEnvironment(helper, environment), cwd },
    { signal, ...HELPER_LIMITS },
    { clock, ledger },
  );
  switch (run.kind) {
    case 'cancelled':
      return undefined;
    case 'not-started':
    case 'timeout':
    case 'too-large':
      return err(run);
    case 'exited': {
      const { exit, stdout, stderr } = run;
      if (exit.code !== 0) return err({ kind: 'exited', exit, stderr });
      const read = readHeaders(stdout);
      return read.ok ? read : err({ kind: 'bad-output', problem: read.error, stderr });
    }
    default:
      return run satisfies never;
  }
}

/** A foreign helper obtains credentials for its own server, so it does not inherit those of the user. */
export function helperEnvironment(
  { server, url, isForeign }: Pick<HeadersHelper, 'server' | 'url' | 'isForeign'>,
  { env, cwd }: Pick<HostEnvironment, 'env' | 'cwd'>,
): Readonly<Record<string, string>> {
  const named = {
    PLUGBOARD_SERVER_NAME: server,
    PLUGBOARD_SERVER_URL: url,
    [PROJECT_VARIABLE]: cwd,
  };
  const inherited = isForeign ? minimalEnvironment(env, {}) : env;
  const variables = Object.entries(inherited).filter(
    (variable): variable is [string, string] =>
      variable[1] !== undefined && !(isForeign && CREDENTIAL.test(variable[0])),
  );
  return { ...Object.fromEntries(variables), ...named };
}

const CREDENTIAL = /token|secret|key|passw|passphrase|credential|auth|cookie|bearer|dsn|_pat\b/i;

/** Deep enough for an object of texts, and for values that are reported as not being text. */
const MAX_DEPTH = 16;

export function readHeaders(stdout: string): Result<Headers, OutputProblem> {
  const parsed = parseJson(stdout, { maxLength: HELPER_LIMITS.maxBytes, maxDepth: MAX_DEPTH });
  if (!parsed.ok) return err('not-json');
  if (!isObject(parsed.value)) return err('not-an-object');
  const headers = Object.entries(parsed.value);
  if (headers.some(([name]) => !HEADER_NAME.test(name))) return err('bad-name');
  const texts = headers.filter(
    (header): header is [string, string] => typeof header[1] === 'string',
  );
  if (texts.length < headers.length) return err('not-text');
  if (texts.some(([, value]) => !isHeaderValue(value))) return err('bad-value');
  return ok(Object.fromEntries(texts));
}

/** The header names of `upper` win, in any letter case. */
export function mergeHeaders(upper: Headers, lower: Headers): Headers {
  const upperNames = new Set(Object.keys(upper).map((name) => name.toLowerCase()));
  const remaining = Object.entries(lower).filter(([name]) => !upperNames.has(name.toLowerCase()));
  return Object.fromEntries([...remaining, ...Object.entries(upper)]);
}
