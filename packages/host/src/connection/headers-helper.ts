// Asks the command that an entry names for headers. It runs without a shell, within bounds, and what it
// prints is checked like the headers of an entry and never shown. When to ask is the caller's business.

import { type Clock, err, isObject, ok, parseJson, type Result } from '@plugboard/base';
import {
  HEADER_NAME,
  isHeaderValue,
  PROJECT_VARIABLE,
  type SplitCommand,
  type SplitProblem,
} from '../config/index.ts';
import {
  type HostEnvironment,
  minimalEnvironment,
  openStartFolder,
  type ProcessExit,
  type ProcessLedger,
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
  /** The entry is not of the person who runs the host, but came with a project or a plugin. */
  readonly isForeign: boolean;
  /** The folder in which it starts; that of the host, by default. */
  readonly startsIn?: string | undefined;
}

export interface HelperPorts {
  readonly environment: Pick<HostEnvironment, 'env' | 'cwd' | 'paths'>;
  readonly clock: Clock;
  readonly ledger?: ProcessLedger | undefined;
}

/** `undefined` if it was given up. */
export async function askHelper(
  helper: HeadersHelper,
  signal: AbortSignal,
  { environment, clock, ledger }: HelperPorts,
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

/** One that a stranger wrote is to get credentials for its own server, not those of this person. */
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
  const passedOn = Object.entries(inherited).filter(
    (variable): variable is [string, string] =>
      variable[1] !== undefined && !(isForeign && CREDENTIAL.test(variable[0])),
  );
  return { ...Object.fromEntries(passedOn), ...named };
}

const CREDENTIAL = /token|secret|key|passw|passphrase|credential|auth|cookie|bearer|dsn|_pat\b/i;

/** Deep enough for an object of texts, and for being told that something else is no text. */
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

/** The names of headers ignore case, so the one below must go whatever its spelling. */
export function layHeaders(upper: Headers, lower: Headers): Headers {
  const taken = new Set(Object.keys(upper).map((name) => name.toLowerCase()));
  const left = Object.entries(lower).filter(([name]) => !taken.has(name.toLowerCase()));
  return Object.fromEntries([...left, ...Object.entries(upper)]);
}
