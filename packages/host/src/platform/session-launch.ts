// Starts a program in its own process group, inside the session of this process. Linux shares processor time among
// sessions first, so on a busy machine two processes that talk to each other wait longer if each has its own session. Node
// can give a child its own session or leave it in its parent's group, but nothing in between, so a few lines of Perl set
// the group and then become the program. They also give up the terminal: the program can neither read keys nor be stopped
// by Ctrl-C.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { getSystemErrorName } from 'node:util';
import type { SpawnSpec } from './spawn-spec.ts';

const PERL = '/usr/bin/perl';
/** TIOCNOTTY, which has this number on the machines below. */
const GIVE_UP_TERMINAL = '0x5422';
const MACHINES: ReadonlySet<string> = new Set(['x64', 'arm64']);
const READY = 'ready';

/** Reports over descriptor 3 that it is ready, and then an error code if the program could not be started. */
const LAUNCHER = [
  'open(R,">&=3") or exit 1',
  // F_SETFD, FD_CLOEXEC: the program does not inherit it.
  'fcntl(R,2,1) or exit 1',
  'setpgrp(0,0) or exit 1',
  `if(open(T,"+<","/dev/tty")){ioctl(T,${GIVE_UP_TERMINAL},0) or exit 1}`,
  'delete $ENV{PERL_BADLANG}',
  `syswrite(R,"${READY}")`,
  'exec{$ARGV[0]}@ARGV',
  'syswrite(R,$!+0)',
  'exit 127',
].join(';');

let canShare: boolean | undefined;

/** Whether a program with this environment can be started like this, and benefits from it. */
export function sharesSession(env: SpawnSpec['env']): boolean {
  canShare ??=
    process.platform === 'linux' &&
    MACHINES.has(process.arch) &&
    hasSessionGroups() &&
    existsSync(PERL);
  // Variables for a server in Perl would affect the launcher.
  return canShare && !Object.keys(env).some((name) => name.startsWith('PERL'));
}

function hasSessionGroups(): boolean {
  try {
    return readFileSync('/proc/sys/kernel/sched_autogroup_enabled', 'latin1').trim() === '1';
  } catch {
    // A kernel without session groups.
    return false;
  }
}

/** Three pipes, and a fourth for `launched`. May throw as `spawn` does. */
export function launchInSession({ command, args, env, cwd }: SpawnSpec): ChildProcess {
  return spawn(PERL, ['-e', LAUNCHER, '--', command, ...args], {
    // Without it, Perl would warn about a locale that the machine does not have.
    env: { ...env, PERL_BADLANG: '0' },
    cwd,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    shell: false,
  });
}

export type Launch =
  | { readonly kind: 'started' }
  /** The system would not run the program. */
  | { readonly kind: 'refused'; readonly code: string }
  /** Perl itself failed. */
  | { readonly kind: 'no-launcher' };

/** Resolves with the result of the launch. */
export async function launched({ stdio }: ChildProcess): Promise<Launch> {
  let reported = '';
  const report = stdio[3];
  await new Promise<void>((resolve) => {
    report?.on('data', (chunk: Buffer) => {
      reported += chunk.toString('latin1');
    });
    report?.on('error', () => resolve());
    report?.on('close', () => resolve());
  });
  if (!reported.startsWith(READY)) return { kind: 'no-launcher' };
  const error = Number(reported.slice(READY.length));
  return error === 0 ? { kind: 'started' } : { kind: 'refused', code: getSystemErrorName(-error) };
}
