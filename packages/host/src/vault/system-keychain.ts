// The system's keychain, accessed in a separate process: the library blocks its thread while it connects,
// which can take forever, and only a process can be killed. What was read is cached in memory, and a failure
// for a while, so that the user is not prompted again at once.

import { createRequire } from 'node:module';
import {
  type Clock,
  err,
  isObject,
  never,
  ok,
  parseJson,
  type Result,
  SingleFlight,
} from '@plugboard/base';
import {
  type CommandRun,
  type HostEnvironment,
  minimalEnvironment,
  nodeProgram,
  runCommand,
} from '../platform/index.ts';
import type { Keychain, KeychainProblem } from './keychain.ts';
import { KEYCHAIN_PROGRAM } from './keychain-program.ts';

export interface SystemKeychainOptions {
  readonly environment: Pick<HostEnvironment, 'env' | 'platform'>;
  readonly clock: Clock;
  /** The path of the library; resolved like any other dependency, by default. */
  readonly library?: string;
}

type Action = 'look' | 'read' | 'make';
type Reply = Result<string | undefined, KeychainProblem>;

const LIBRARY = '@napi-rs/keyring';
/** To start a process, even on a busy machine, and to reach the keychain. Reading has no alternative, so it gets more. */
const REACH_MS: Readonly<Record<Action, number>> = { look: 8000, make: 8000, read: 15_000 };
/** The system may ask the user for permission or for a password. */
const ANSWER_MS = 30_000;
const FAILURE_KEPT_MS = 30_000;
const MAX_BYTES = 16 * 1024;
const MAX_MESSAGE_LENGTH = 300;

export function systemKeychain(options: SystemKeychainOptions): Keychain {
  return new SystemKeychain(options);
}

class SystemKeychain implements Keychain {
  readonly #options: SystemKeychainOptions;
  readonly #keys = new Map<string, string>();
  readonly #requests = new SingleFlight<string, Reply>();
  /** `until` is on the clock's elapsed time. */
  #failure: { readonly problem: KeychainProblem; readonly until: number } | undefined;

  constructor(options: SystemKeychainOptions) {
    this.#options = options;
  }

  async look(): Promise<Result<void, KeychainProblem>> {
    const reply = await this.#request('look', 'none');
    return reply.ok ? ok(undefined) : reply;
  }

  read(id: string): Promise<Result<string, KeychainProblem>> {
    return this.#key('read', id);
  }

  make(id: string): Promise<Result<string, KeychainProblem>> {
    return this.#key('make', id);
  }

  async #key(action: Action, id: string): Promise<Result<string, KeychainProblem>> {
    const known = this.#keys.get(id);
    if (known !== undefined) return ok(known);
    const reply = await this.#request(action, id);
    if (!reply.ok) return reply;
    if (reply.value === undefined) return err({ kind: 'no-entry' });
    this.#keys.set(id, reply.value);
    return ok(reply.value);
  }

  #request(action: Action, id: string): Promise<Reply> {
    const { clock } = this.#options;
    const failure = this.#failure;
    if (failure !== undefined && clock.elapsed() < failure.until) {
      return Promise.resolve(err(failure.problem));
    }
    return this.#requests.run(`${action} ${id}`, async () => {
      const reply = await this.#runProgram(action, id);
      this.#failure =
        reply.ok || reply.error.kind === 'no-entry'
          ? undefined
          : { problem: reply.error, until: clock.elapsed() + FAILURE_KEPT_MS };
      return reply;
    });
  }

  async #runProgram(action: Action, id: string): Promise<Reply> {
    const { environment, clock, library = installedLibrary() } = this.#options;
    const { env } = environment;
    if (library === undefined) return err({ kind: 'no-library' });
    const command = nodeProgram();
    if (command === undefined) return err({ kind: 'no-node' });
    const bus = busVariables(environment);
    if (bus === undefined) return err({ kind: 'no-service', message: 'there is no D-Bus session' });
    const run = await runCommand(
      {
        command,
        args: ['-e', KEYCHAIN_PROGRAM, action, id, library],
        env: minimalEnvironment(env, bus),
        cwd: undefined,
      },
      { signal: never, timeoutMs: ANSWER_MS, firstWordMs: REACH_MS[action], maxBytes: MAX_BYTES },
      { clock },
    );
    return replyOf(run);
  }
}

/** Only its path; the process that uses it loads it. */
function installedLibrary(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(LIBRARY);
  } catch {
    // It is optional, and not installed.
    return undefined;
  }
}

/** `undefined` if the keychain is reached over a bus, and the environment names none. */
function busVariables({
  env,
  platform,
}: Pick<HostEnvironment, 'env' | 'platform'>): Record<string, string> | undefined {
  if (platform === 'darwin' || platform === 'win32') return {};
  const set = ['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR'].flatMap((name) => {
    const value = env[name] ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

function replyOf(run: CommandRun): Reply {
  if (run.kind === 'timeout') return err({ kind: 'timeout' });
  if (run.kind === 'not-started') return err({ kind: 'no-node' });
  const lines = run.kind === 'exited' ? run.stdout.trim().split('\n') : [];
  const answer = parseJson(lines.at(-1) ?? '', { maxLength: MAX_BYTES, maxDepth: 2 });
  const { kind, text, message } = answer.ok && isObject(answer.value) ? answer.value : {};
  // Only as the last line of a process that succeeded: one that was killed may have printed it too.
  if (kind === 'open' && run.kind === 'exited' && run.exit.code === 0) return ok(undefined);
  if (kind === 'key' && typeof text === 'string') return ok(text);
  if (kind === 'no-library' || kind === 'no-entry') return err({ kind });
  if (kind !== 'no-service') return err({ kind: 'refused', message: shortMessage(message) });
  return err({ kind, message: shortMessage(message) });
}

function shortMessage(message: unknown): string {
  if (typeof message !== 'string') return 'it gave no answer';
  return message.replaceAll(/\s+/g, ' ').slice(0, MAX_MESSAGE_LENGTH);
}
