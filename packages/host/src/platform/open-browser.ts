// Opens a url in the user's browser. The url is untrusted: it is checked first, and passed to one program as one
// argument, never to a shell.

import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Clock, codeOf, isLoopback, isUrl, systemClock } from '@plugboard/base';
import { findProgram } from './find-program.ts';
import { type HostEnvironment, hostEnvironment } from './host-environment.ts';
import { MARK_VARIABLE } from './process-mark.ts';

type BrowserEnvironment = Pick<HostEnvironment, 'env' | 'cwd' | 'platform'>;

export interface OpenBrowserOptions {
  /** The process's own, by default. */
  readonly environment?: BrowserEnvironment;
  readonly clock?: Clock;
}

export type BrowserOpening =
  /** As far as can be detected: a program accepted the url and reported no failure. */
  | { readonly kind: 'opened'; readonly program: string }
  /** No program can open it: over SSH, in a container, or if BROWSER names none. */
  | { readonly kind: 'no-opener'; readonly tried: readonly string[] }
  | { readonly kind: 'refused'; readonly why: UrlRefusal }
  /** `code`: the exit code of the program, or why it could not be started. */
  | { readonly kind: 'failed'; readonly program: string; readonly code: number | string };

export type UrlRefusal =
  | 'not-a-url'
  | 'control-characters'
  | 'too-long'
  /** Allowed are https, and http to this machine. */
  | 'scheme'
  | 'credentials';

/** How long to wait for a program to fail. Some are the browser itself and keep running. */
const FAILURE_WAIT_MS = 2000;
/** No system passes much more in one argument. */
const MAX_LENGTH = 8192;

export async function openBrowser(
  url: string,
  { environment = hostEnvironment(), clock = systemClock }: OpenBrowserOptions = {},
): Promise<BrowserOpening> {
  const why = urlRefusal(url);
  if (why !== undefined) return { kind: 'refused', why };
  const openers = openersFor(environment);
  const path = environment.env['PATH'] ?? environment.env['Path'] ?? '';
  // A relative folder would be looked up in the project, which could contain a program of that name.
  const searched = path.split(delimiter).filter(isAbsolute).join(delimiter);
  for (const [program, ...args] of openers) {
    if (searched === '' && !/[\\/]/.test(program)) continue;
    const found = await findProgram({ command: program, cwd: environment.cwd, searched });
    if (found.kind !== 'executable') continue;
    return run([found.path, ...args, plainArgument(url)], environment, clock);
  }
  return { kind: 'no-opener', tried: openers.map(([program]) => program) };
}

/** Why a url must not be opened; `undefined` if it may be. */
export function urlRefusal(url: string): UrlRefusal | undefined {
  // `URL` would silently remove some of them.
  if (CONTROLS.test(url)) return 'control-characters';
  if (url.length > MAX_LENGTH) return 'too-long';
  if (!isUrl(url)) return 'not-a-url';
  const { protocol, hostname, username, password } = new URL(url);
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  if (!isAllowed) return 'scheme';
  // `https://bank.example@evil.example/` looks like the bank's.
  return username === '' && password === '' ? undefined : 'credentials';
}

/** And spaces: a url contains none. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Z}]/u;
/**
 * As `URL` writes it, so it starts with the scheme and never with a dash. Characters that a shell would interpret are
 * encoded, which means the same to the server: some openers are scripts, and not all of them quote their arguments.
 */
function plainArgument(url: string): string {
  return new URL(url).href.replace(
    /[^\w\-.~:/?#[\]@&+,;=%]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

type OpenCommand = readonly [program: string, ...args: string[]];

function openersFor({ env, platform }: BrowserEnvironment): readonly OpenCommand[] {
  const chosen = env['BROWSER'] ?? '';
  // The user's choice is the only candidate: with `none`, for example, nothing is opened.
  if (chosen !== '') return [[chosen]];
  if (platform === 'darwin') return [['open']];
  if (platform === 'win32') {
    const system = join(env['SystemRoot'] ?? env['SYSTEMROOT'] ?? 'C:\\Windows', 'System32');
    return [[join(system, 'rundll32.exe'), 'url.dll,FileProtocolHandler']];
  }
  const hasScreen = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((name) => (name ?? '') !== '');
  // Without a screen, `xdg-open` would start a browser in the terminal.
  return hasScreen ? [['xdg-open'], ['wslview']] : [['wslview']];
}

async function run(
  [program, ...args]: readonly [string, ...string[]],
  { env, cwd }: BrowserEnvironment,
  clock: Clock,
): Promise<BrowserOpening> {
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      // The whole environment, unlike for servers: a browser needs the variables of the user's session. Without the mark
      // of this process, with which the browser would be ended.
      env: { ...env, [MARK_VARIABLE]: undefined },
      cwd,
      shell: false,
      stdio: 'ignore',
      // The browser keeps running when this process ends.
      detached: true,
      windowsHide: true,
    });
  } catch (thrown) {
    return { kind: 'failed', program, code: codeOf(thrown) ?? 'UNKNOWN' };
  }
  const code = await failureOf(child, clock);
  return code === undefined ? { kind: 'opened', program } : { kind: 'failed', program, code };
}

async function failureOf(child: ChildProcess, clock: Clock): Promise<number | string | undefined> {
  let timer: Disposable | undefined;
  try {
    return await new Promise((resolve) => {
      child.once('error', (thrown) => resolve(codeOf(thrown) ?? 'UNKNOWN'));
      child.once('exit', (code, signal) => resolve(code === 0 ? undefined : (code ?? signal ?? 0)));
      timer = clock.after(FAILURE_WAIT_MS, () => resolve(undefined));
    });
  } finally {
    timer?.[Symbol.dispose]();
    child.unref();
  }
}
