// Programs that try to outlive their end, one for each way that there is. Each runs processes with a word of its own on
// their command lines, by which a test counts them whatever else they change: their parent, group, session, environment
// and open files.

import { randomInt } from 'node:crypto';
import { allProcesses, type ProcessInfo } from '@plugboard/testkit';
import type { SpawnSpec } from '../../src/platform/index.ts';
import { shell } from './started-programs.ts';

export interface EscapingProgram {
  readonly way: string;
  readonly spec: SpawnSpec;
  /** The number of processes that must run before it is stopped; 0 for a program that ends by itself. */
  readonly least: number;
  /** Its running processes, except the shells around it. */
  running(): readonly ProcessInfo[];
  /** All its running processes. */
  left(): readonly ProcessInfo[];
}

/** `sleep`: a command that sleeps for minutes, with `word` on its command line. All of them end by themselves eventually. */
type Write = (sleep: string, word: string) => string;

/** A shell command that runs Perl, for system calls that shells lack. `word` identifies it. */
const perl = (script: string, word: string): string => `perl -e '${script}' ${word}`;

const IGNORE = `trap '' HUP INT TERM;`;
const QUIET = '</dev/null >/dev/null 2>&1';

const WAYS: readonly (readonly [way: string, least: number, write: Write])[] = [
  ['does not end when its input does', 1, (sleep) => `exec ${sleep}`],
  ['ignores signals', 1, (sleep) => `${IGNORE} ${sleep}; ${sleep}`],
  ['has a child', 1, (sleep) => `${sleep} & cat`],
  ['has a child that ignores signals', 1, (sleep) => `(${IGNORE} ${sleep}; :) & cat`],
  ['has a child by nohup', 1, (sleep) => `nohup ${sleep} ${QUIET} & cat`],
  [
    'has children five levels down',
    5,
    (sleep) =>
      `${sleep} & (${sleep} & (${sleep} & (${sleep} & (${sleep} & wait) & wait) & wait) & wait) & cat`,
  ],
  ['leaves a child and ends at once', 0, (sleep) => `${sleep} ${QUIET} & exit 0`],
  ['leaves a child that holds its output', 0, (sleep) => `${IGNORE} ${sleep} & exit 0`],
  ['forks twice', 1, (sleep) => `(${IGNORE} ${sleep} ${QUIET} &) ; cat`],
  ['starts a session', 1, (sleep) => `setsid ${sleep} & cat`],
  [
    'starts a session and ends at once',
    0,
    (sleep) => `${IGNORE} setsid ${sleep} ${QUIET} & exit 0`,
  ],
  ['becomes a session', 1, (sleep) => `exec setsid -w ${sleep}`],
  [
    'starts sessions inside of sessions',
    3,
    (sleep) =>
      `setsid sh -c "${sleep} & setsid sh -c '${sleep} & setsid ${sleep} & exit 0' & exit 0" ${QUIET} & cat`,
  ],
  [
    'becomes a daemon by the book',
    1,
    (_, word) =>
      `${perl(
        `use POSIX; exit if fork; setsid; exit if fork; chdir "/"; umask 0; POSIX::close($_) for 0..63; $SIG{$_}="IGNORE" for qw(HUP INT TERM); sleep 300`,
        word,
      )}; cat`,
  ],
  ['starts a group', 1, (_, word) => `${perl('setpgrp(0,0); sleep 300', word)} & cat`],
  [
    'has jobs, as a shell with job control',
    2,
    (sleep) => `exec bash -c 'set -m; ${sleep} & ${sleep} & cat'`,
  ],
  [
    'starts a group and leaves it without its leader',
    1,
    (_, word) =>
      `${perl('setpgrp(0,0); exit if fork; $SIG{INT}=$SIG{TERM}="IGNORE"; sleep 300', word)}; cat`,
  ],
  [
    'joins the group of its host, where it may',
    1,
    (_, word) => perl('setpgrp(0, getpgrp(getppid)); sleep 300', word),
  ],
  ['has a child without an environment', 1, (sleep) => `env -i ${sleep} & cat`],
  ['has no environment itself', 1, (sleep) => `exec env -i ${sleep}`],
  [
    'starts a session without an environment',
    1,
    (sleep) => `${IGNORE} env -i setsid -f ${sleep} & cat`,
  ],
  [
    'starts a session, with children without an environment',
    2,
    (sleep) => `setsid sh -c "env -i ${sleep} & ${sleep} & exit 0" ${QUIET} & cat`,
  ],
  ['changes its name', 1, (_, word) => perl(`$0 = "renamed ${word}"; sleep 300`, word)],
  [
    'becomes another program again and again',
    1,
    (_, word) =>
      `exec ${perl('$SIG{INT}="IGNORE"; select undef,undef,undef,.05; exec $^X, "-e", q($SIG{TERM}="IGNORE"; sleep 300), @ARGV', word)}`,
  ],
  ['is stopped', 1, (sleep) => `${sleep} & kill -STOP $$; cat`],
  [
    'has a child that stops itself',
    1,
    (_, word) => `setsid ${perl('kill STOP => $$; sleep 300', word)} & cat`,
  ],
  [
    'has children that end and are not collected',
    1,
    (_, word) =>
      perl('for (1..20) { exit unless defined(my $p = fork); exit unless $p } sleep 300', word),
  ],
  [
    'forks two hundred times',
    200,
    (_, word) =>
      `setsid ${perl('for (1..200) { next if fork; $SIG{TERM}="IGNORE"; sleep 300; exit } sleep 300', word)} & cat`,
  ],
  [
    'is handed on from process to process, in one session',
    1,
    (_, word) =>
      `setsid ${perl('$SIG{INT}=$SIG{TERM}="IGNORE"; for (1..400) { select undef,undef,undef,.3; exit if fork }', word)} & cat`,
  ],
  [
    'is handed on from session to session',
    1,
    (_, word) =>
      `${perl('use POSIX; $SIG{INT}=$SIG{TERM}="IGNORE"; for (1..400) { select undef,undef,undef,.3; exit if fork; setsid }', word)}; cat`,
  ],
  [
    'starts another when it is asked to end',
    1,
    (sleep) => `trap 'setsid ${sleep} & exit 0' INT TERM; ${sleep} & while :; do wait; done`,
  ],
  [
    'starts what was ended again',
    1,
    (sleep) =>
      `${IGNORE} setsid sh -c "for i in 1 2 3 4 5 6 7 8; do setsid -w ${sleep}; done" & cat`,
  ],
  ['is run by npm', 1, (sleep) => `exec npm exec --offline -c "${sleep} & ${sleep}"`],
];

export function escapingPrograms(): readonly EscapingProgram[] {
  return WAYS.map(([way, least, write]) => {
    const word = `300.${randomInt(1e9, 1e10)}`;
    const found = (): readonly ProcessInfo[] =>
      allProcesses().filter(({ command }) => command.includes(word));
    return {
      way,
      least,
      spec: {
        ...shell(write(`sleep ${word}`, word)),
        env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/' },
      },
      running: () => found().filter(({ command }) => !/^(sh|npm|bash) /.test(command)),
      left: found,
    };
  });
}
