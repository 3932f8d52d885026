// A real keychain for tests on Linux: a D-Bus of its own with GNOME's keyring, in a temporary folder, unlocked with an
// empty password. The bus starts no services by itself, so no password prompt appears, and the keychain of the user who
// runs the tests stays untouched.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { CodedError } from '@plugboard/base';
import { isMissing } from './missing-program.ts';
import { type TempFolder, tempFolder } from './temp-folder.ts';
import { waitUntil } from './wait-until.ts';

export interface SecretService extends AsyncDisposable {
  /** The variables with which a program finds it. */
  readonly env: Readonly<Record<string, string>>;
  /** Locks it with the same secrets, like a login without a password. */
  lock(): Promise<void>;
  unlock(): Promise<void>;
  /** Makes it stop answering. */
  freeze(): void;
  /** Ends the keyring; the bus stays. */
  leave(): Promise<void>;
}

const BUS = 'dbus-daemon';
const KEYRING = 'gnome-keyring-daemon';
const NAME = 'org.freedesktop.secrets';

/** A required program that is not installed. */
export function missingForSecretService(): string | undefined {
  return [BUS, KEYRING].find((program) => isMissing(program));
}

export async function startSecretService(): Promise<SecretService> {
  const folder = await tempFolder();
  const service = new OwnSecretService(folder);
  try {
    await service.start();
    return service;
  } catch (thrown) {
    await service[Symbol.asyncDispose]();
    throw thrown;
  }
}

class OwnSecretService implements SecretService {
  readonly env: Readonly<Record<string, string>>;
  readonly #folder: TempFolder;
  #bus: StartedProcess | undefined;
  #keyring: StartedProcess | undefined;

  constructor(folder: TempFolder) {
    this.#folder = folder;
    this.env = {
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder.path}/bus`,
      XDG_RUNTIME_DIR: `${folder.path}/run`,
    };
  }

  async start(): Promise<void> {
    const config = await this.#folder.write('bus.conf', busConfig(this.#folder.path));
    await this.#folder.mkdir('run');
    this.#bus = begin(BUS, [`--config-file=${config}`, '--nofork', '--nopidfile'], {});
    await this.#until('the bus to answer', () => this.#asksBus('ListNames') !== undefined);
    await this.unlock();
  }

  async lock(): Promise<void> {
    await this.#serve(['--foreground', '--components=secrets']);
  }

  async unlock(): Promise<void> {
    await this.#serve(['--foreground', '--unlock', '--components=secrets']);
  }

  freeze(): void {
    this.#keyring?.child.kill('SIGSTOP');
  }

  async leave(): Promise<void> {
    await this.#keyring?.end();
    this.#keyring = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.leave();
    await this.#bus?.end();
    await this.#folder[Symbol.asyncDispose]();
  }

  async #serve(args: readonly string[]): Promise<void> {
    await this.leave();
    const { path } = this.#folder;
    this.#keyring = begin(KEYRING, args, {
      ...this.env,
      HOME: path,
      XDG_DATA_HOME: `${path}/share`,
      XDG_CACHE_HOME: `${path}/cache`,
    });
    // The password, up to the end of the line.
    this.#keyring.child.stdin?.end('\n');
    await this.#until('the keyring to be on the bus', () => this.#isServing());
  }

  #isServing(): boolean {
    return this.#asksBus('NameHasOwner', `string:${NAME}`)?.includes('boolean true') === true;
  }

  #asksBus(method: string, ...args: readonly string[]): string | undefined {
    const { status, stdout } = spawnSync(
      'dbus-send',
      [
        `--bus=${this.env['DBUS_SESSION_BUS_ADDRESS']}`,
        ...['--print-reply', '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus'],
        ...[`org.freedesktop.DBus.${method}`, ...args],
      ],
      { encoding: 'utf8' },
    );
    return status === 0 ? stdout : undefined;
  }

  async #until(what: string, condition: () => boolean): Promise<void> {
    await waitUntil(
      () => {
        for (const started of [this.#bus, this.#keyring]) started?.mustRun();
        return condition();
      },
      { describe: what },
    );
  }
}

interface StartedProcess {
  readonly child: ChildProcess;
  /** Throws with its output if it has ended. */
  mustRun(): void;
  end(): Promise<void>;
}

function begin(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): StartedProcess {
  const child = spawn(command, [...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
  });
  let said = '';
  for (const pipe of [child.stdout, child.stderr]) {
    pipe?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  child.stdin?.on('error', () => {
    // It ended before it read the input; `mustRun` reports that.
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    child,
    mustRun() {
      if (child.exitCode === null && child.signalCode === null) return;
      throw new CodedError('peer-did-not-start', `${command} ended: ${said}`, { data: {} });
    },
    async end() {
      // SIGKILL also ends a stopped process.
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function busConfig(folder: string): string {
  return `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;
}
