// Which machine this is, in a word that stays the same between runs and differs from that of other
// machines. It is no secret. Where the system has no such word, the machine's name stands in.

import { execFile } from 'node:child_process';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { readTextFile } from './read-text-file.ts';

const MAX_BYTES = 64 * 1024;
const COMMAND_MS = 5000;

/** https://www.freedesktop.org/software/systemd/man/latest/machine-id.html */
const FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id'] as const;

interface Question {
  readonly command: string;
  readonly args: readonly string[];
  readonly answer: RegExp;
}

const QUESTIONS: Partial<Record<NodeJS.Platform, Question>> = {
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
  /** What a command says on stdout. Rejects where it cannot be run. */
  readonly run: (command: string, args: readonly string[]) => Promise<string>;
}

const THIS_MACHINE: Machine = { platform: process.platform, files: FILES, run: runCommand };

export async function machineId(machine: Machine = THIS_MACHINE): Promise<string> {
  const question = QUESTIONS[machine.platform];
  const found =
    question === undefined ? await fromFiles(machine.files) : await askSystem(question, machine);
  return found ?? hostname();
}

/** The first of the files that holds an id. A system that was never started has an empty one. */
async function fromFiles(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const text = await readTextFile(path, { maxBytes: MAX_BYTES });
    const id = text.ok ? /^[0-9a-f]{32}$/.exec(text.value.trim())?.[0] : undefined;
    if (id !== undefined) return id;
  }
  return undefined;
}

async function askSystem(
  { command, args, answer }: Question,
  machine: Machine,
): Promise<string | undefined> {
  try {
    return answer.exec(await machine.run(command, args))?.[1]?.toLowerCase();
  } catch {
    // A system without its own tool: its name has to do.
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
