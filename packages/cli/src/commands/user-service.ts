// Runs the gateway as a service of the user: with systemd on Linux, and launchd on macOS. The service manager starts the
// gateway when the user signs in, and again if it fails. One file defines the service.

import { join } from 'node:path';
import { never, ok, type Result, systemClock } from '@plugboard/base';
import type { HostEnvironment } from '@plugboard/host/configuration';
import {
  ensureFolder,
  removeFile,
  runCommand,
  writeFileAtomically,
} from '@plugboard/host/processes';
import { exists } from '@plugboard/host/configuration';

export interface ServiceProgram {
  /** The program, and its arguments. */
  readonly words: readonly string[];
  readonly folder: string;
  readonly log: string;
}

/** Variables of the terminal that the service gets. None is a secret, since they are written into the file. */
const PASSED_ON: readonly string[] = [
  'PATH',
  'LANG',
  'LC_ALL',
  'TZ',
  'NODE_EXTRA_CA_CERTS',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'PLUGBOARD_SECRETS',
  'PLUGBOARD_CODEBASE',
];

const COMMAND_MS = 20_000;
const CHECK_MS = 5000;
const UNIT = 'plugboard-gateway.service';
const LABEL = 'dev.plugboard.gateway';

/** A command of the service manager. */
type Step = readonly [command: string, ...args: readonly string[]];

interface Manager {
  readonly file: string;
  /** The commands to start it once the file exists, and to remove it. */
  readonly start: readonly Step[];
  readonly stop: readonly Step[];
  /** The manager is available if this command succeeds and its output matches. */
  readonly check: { readonly step: Step; readonly output?: RegExp };
  text(program: ServiceProgram, env: readonly (readonly [string, string])[]): string;
}

export class UserService {
  readonly #manager: Manager;
  readonly #environment: HostEnvironment;

  private constructor(manager: Manager, environment: HostEnvironment) {
    this.#manager = manager;
    this.#environment = environment;
  }

  /** `undefined` if there is no service manager, or the user disabled it. */
  static async find(environment: HostEnvironment): Promise<UserService | undefined> {
    if (environment.env['PLUGBOARD_BACKGROUND'] === 'process') return undefined;
    const manager = managerOf(environment);
    if (manager === undefined) return undefined;
    const service = new UserService(manager, environment);
    const { step, output } = manager.check;
    const checked = await service.#run(step, CHECK_MS);
    return checked.ok && (output?.test(checked.value) ?? true) ? service : undefined;
  }

  isInstalled(): Promise<boolean> {
    return exists(this.#manager.file);
  }

  /** Writes the file and starts the service. The error is the message of the manager. */
  async start(program: ServiceProgram): Promise<Result<undefined, string>> {
    const { file, start } = this.#manager;
    const { env } = this.#environment;
    const passed = PASSED_ON.flatMap((name) => {
      const value = env[name];
      // A value with several lines could change other parts of the file.
      return value === undefined || /[\r\n\0]/.test(value) ? [] : [[name, value] as const];
    });
    await ensureFolder(join(file, '..'));
    await ensureFolder(join(program.log, '..'));
    await writeFileAtomically(file, this.#manager.text(program, passed), { mode: 0o600 });
    return this.#runAll(start);
  }

  /** Stops the service, and removes the file. */
  async stop(): Promise<Result<undefined, string>> {
    const stopped = await this.#runAll(this.#manager.stop);
    await removeFile(this.#manager.file);
    return stopped;
  }

  async #runAll(steps: readonly Step[]): Promise<Result<undefined, string>> {
    for (const step of steps) {
      const done = await this.#run(step, COMMAND_MS);
      if (!done.ok) return done;
    }
    return ok(undefined);
  }

  async #run([command, ...args]: Step, timeoutMs: number): Promise<Result<string, string>> {
    const { env, home } = this.#environment;
    const words = [command, ...args].join(' ');
    const run = await runCommand(
      { command, args, cwd: home, env: definedOf(env) },
      { signal: never, timeoutMs, maxBytes: 64 * 1024 },
      { clock: systemClock },
    );
    if (run.kind === 'exited' && run.exit.code === 0) return ok(run.stdout.trim());
    const why = 'stderr' in run && run.stderr.length > 0 ? run.stderr.join(' ') : run.kind;
    return { ok: false, error: `${words}: ${why}` };
  }
}

function definedOf(env: HostEnvironment['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function managerOf({ platform, env, home }: HostEnvironment): Manager | undefined {
  if (platform === 'linux') return systemd(env['XDG_CONFIG_HOME'] ?? join(home, '.config'));
  return platform === 'darwin' ? launchd(home) : undefined;
}

function systemd(config: string): Manager {
  const user = ['systemctl', '--user'] as const;
  return {
    file: join(config, 'systemd', 'user', UNIT),
    start: [
      [...user, 'daemon-reload'],
      [...user, 'enable', UNIT],
      [...user, 'restart', UNIT],
    ],
    stop: [[...user, 'disable', '--now', UNIT]],
    check: { step: [...user, 'show-environment'] },
    text: systemdUnit,
  };
}

export function systemdUnit(
  { words, folder, log }: ServiceProgram,
  env: readonly (readonly [string, string])[],
): string {
  const plain = (text: string): string => text.replaceAll('%', '%%');
  const quoted = (text: string): string => `"${plain(text).replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const lines = [
    '[Unit]',
    'Description=Plugboard: one gateway for all MCP clients',
    '',
    '[Service]',
    `ExecStart=${words.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}`,
    `WorkingDirectory=${plain(folder)}`,
    ...env.map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    'Restart=on-failure',
    'RestartSec=2',
    // The gateway stops its servers itself.
    'KillMode=mixed',
    'TimeoutStopSec=20',
    'StandardOutput=null',
    `StandardError=append:${plain(log)}`,
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ];
  return lines.join('\n');
}

function launchd(home: string): Manager {
  const file = join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  return {
    file,
    start: [
      ['launchctl', 'unload', file],
      ['launchctl', 'load', '-w', file],
    ],
    stop: [['launchctl', 'unload', '-w', file]],
    // A graphical session. A session over SSH has no agents of its own.
    check: { step: ['launchctl', 'managername'], output: /^Aqua$/ },
    text: launchAgent,
  };
}

export function launchAgent(
  { words, folder, log }: ServiceProgram,
  env: readonly (readonly [string, string])[],
): string {
  const text = (value: string): string =>
    `<string>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</string>`;
  const variables = env.map(([name, value]) => `    <key>${name}</key>${text(value)}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key>${text(LABEL)}`,
    '  <key>ProgramArguments</key>',
    `  <array>${words.map(text).join('')}</array>`,
    `  <key>WorkingDirectory</key>${text(folder)}`,
    '  <key>EnvironmentVariables</key>',
    '  <dict>',
    ...variables,
    '  </dict>',
    '  <key>RunAtLoad</key><true/>',
    '  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>',
    '  <key>StandardOutPath</key><string>/dev/null</string>',
    `  <key>StandardErrorPath</key>${text(log)}`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}
