// Identifies this machine by a text that stays the same between runs and differs between machines. It is not secret. If
// the system has no such id, the name of the machine is used.

import { execFile } from 'node:child_process';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { readTextFile } from './read-text-file.ts';

const MAX_BYTES = 64 * 1024;
const COMMAND_MS = 5000;

/** https://www.freedesktop.org/software/systemd/man/latest/machine-id.html */
const FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id'] as const;

interface IdCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly answer: RegExp;
}

const ID_COMMANDS: Partial<Record<NodeJS.Platform, IdCommand>> = {
  darwin: {
    command: '/usr/sbin/ioreg',
    args: ['-rd1', '-c', 'IOPlatformExpertDevice'],
    answer: /"IOPlatformUUID" = "([0-9A-F-]{36})"/i,
  },
  win32: {
    command: 'reg.exe',
    args: ['query', String.raw`HKLM\SOFTWARE\Microsoft\Cryptography`, '/v', 'MachineGuid'],
    answer: /MachineGuid\s+REG_SZ\s+([0-9a-f-]{36})/i,
  },
};

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly files: readonly string[];
  /** Returns the stdout of a command. Rejects if it cannot be run. */
  readonly run: (command: string, args: readonly string[]) => Promise<string>;
}

const THIS_MACHINE: Machine = { platform: process.platform, files: FILES, run: runCommand };

export async function machineId(machine: Machine = THIS_MACHINE): Promise<string> {
  const command = ID_COMMANDS[machine.platform];
  const found =
    command === undefined ? await fromFiles(machine.files) : await fromCommand(command, machine);
  return found ?? hostname();
}

/** The id in the first file that contains one. On a system that was never started, it is empty. */
async function fromFiles(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const text = await readTextFile(path, { maxBytes: MAX_BYTES });
    const id = text.ok ? /^[0-9a-f]{32}$/.exec(text.value.trim())?.[0] : undefined;
    if (id !== undefined) return id;
  }
  return undefined;
}

async function fromCommand(
  { command, args, answer }: IdCommand,
  machine: Machine,
): Promise<string | undefined> {
  try {
    return answer.exec(await machine.run(command, args))?.[1]?.toLowerCase();
  } catch {
    // The system lacks its own tool, so its name is used.
    return undefined;
  }
}

async function runCommand(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...args], {
    timeout: COMMAND_MS,
    maxBuffer: MAX_BYTES,
    windowsHide: true,
  });
  return stdout;
}
