// Reads a picture from the clipboard with a program of the system, since a terminal pastes only text.

import { pictureOf } from '@plugboard/agent';
import { err, never, ok, type Result, systemClock } from '@plugboard/base';
import { findProgram, type HostEnvironment } from '@plugboard/host/configuration';
import { minimalEnvironment, runCommand } from '@plugboard/host/processes';
import type { Notice, PastedImage } from '../chat/index.ts';

type ClipboardEnvironment = Pick<HostEnvironment, 'env' | 'home' | 'platform'>;

interface ClipboardProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** `hex` is AppleScript's notation for data. */
  readonly gives: 'bytes' | 'hex';
}

const WAYLAND: ClipboardProgram = {
  command: 'wl-paste',
  args: ['--no-newline', '--type', 'image/png'],
  gives: 'bytes',
};
const X11: ClipboardProgram = {
  command: 'xclip',
  args: ['-selection', 'clipboard', '-t', 'image/png', '-o'],
  gives: 'bytes',
};
const MAC: readonly ClipboardProgram[] = [
  { command: 'pngpaste', args: ['-'], gives: 'bytes' },
  { command: 'osascript', args: ['-e', 'get the clipboard as «class PNGf»'], gives: 'hex' },
];

const TIMEOUT_MS = 10_000;
/** More than twice the largest picture of a message, since hex doubles its size. */
const MAX_BYTES = 8 * 1024 * 1024;

export async function clipboardPicture(
  environment: ClipboardEnvironment,
): Promise<Result<PastedImage, Notice>> {
  const programs = await programsHere(environment);
  if (programs.length === 0) return err(noProgram(environment));
  let problem: Notice = NO_PICTURE;
  for (const program of programs) {
    const read = await bytesOf(program, environment);
    if (read === 'too-large') problem = TOO_LARGE;
    if (read === undefined || typeof read === 'string') continue;
    const picture = pictureOf(read);
    if (picture.ok) return ok(picture.value);
    problem = picture.error.kind === 'too-large' ? TOO_LARGE : NO_PICTURE;
  }
  return err(problem);
}

/** The programs on the PATH. The one for the current display server comes first. */
async function programsHere({
  env,
  home,
  platform,
}: ClipboardEnvironment): Promise<readonly ClipboardProgram[]> {
  const isWayland = (env['WAYLAND_DISPLAY'] ?? '') !== '';
  const linux = isWayland ? [WAYLAND, X11] : [X11, WAYLAND];
  const found = await Promise.all(
    (platform === 'darwin' ? MAC : linux).map(async (program) => {
      const query = { command: program.command, cwd: home, searched: env['PATH'] ?? '' };
      const there = await findProgram(query);
      return there.kind === 'executable' ? [{ ...program, command: there.path }] : [];
    }),
  );
  return found.flat();
}

/** `undefined` if the program returns no picture. */
async function bytesOf(
  { command, args, gives }: ClipboardProgram,
  { env, home }: ClipboardEnvironment,
): Promise<Buffer | 'too-large' | undefined> {
  const chunks: Buffer[] = [];
  const run = await runCommand(
    { command, args, env: minimalEnvironment(env, displayOf(env)), cwd: home },
    {
      signal: never,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      onOutput: (chunk) => chunks.push(chunk),
    },
    { clock: systemClock },
  );
  if (run.kind === 'too-large') return 'too-large';
  if (run.kind !== 'exited' || run.exit.code !== 0) return undefined;
  const bytes = Buffer.concat(chunks);
  if (gives === 'bytes') return bytes;
  const [, hex] = /PNGf([0-9A-F]+)/u.exec(bytes.toString('latin1')) ?? [];
  return hex === undefined ? undefined : Buffer.from(hex, 'hex');
}

/** The variables by which such a program finds the display. */
const DISPLAY = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR'];

function displayOf(env: ClipboardEnvironment['env']): Readonly<Record<string, string>> {
  const named = DISPLAY.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(named);
}

const NO_PICTURE: Notice = {
  level: 'info',
  text: 'there is no picture in the clipboard',
  fix: 'text is pasted as your terminal does it, mostly with Ctrl-Shift-V',
};

const TOO_LARGE: Notice = {
  level: 'warning',
  text: 'the picture in the clipboard is larger than 3.5 MB',
  fix: 'copy a part of it, or save it smaller and name the file with @',
};

function noProgram({ platform }: ClipboardEnvironment): Notice {
  const fix =
    platform === 'linux'
      ? 'install wl-clipboard (Wayland) or xclip (X11), or name a file with @'
      : 'save it to a file, and name that with @';
  return {
    level: 'warning',
    text: 'there is no program here that reads pictures from the clipboard',
    fix,
  };
}
