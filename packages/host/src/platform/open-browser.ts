// Opens a url in the browser of the person in front of this machine. The url may come from a stranger: it
// is looked at first, and handed to one program as one argument, never to a shell. What the person does in
// the browser, and what to do where there is none, is the caller's business.

import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Clock, codeOf, isUrl, systemClock } from '@plugboard/base';
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
  /** As far as can be seen: a program took the url and did not complain. */
  | { readonly kind: 'opened'; readonly program: string }
  /** Nothing to open it with: over SSH, in a container, or where BROWSER names no program. */
  | { readonly kind: 'no-opener'; readonly tried: readonly string[] }
  | { readonly kind: 'refused'; readonly why: UrlRefusal }
  /** `code` is what the program exited with, or why it could not be started. */
  | { readonly kind: 'failed'; readonly program: string; readonly code: number | string };

export type UrlRefusal =
  | 'not-a-url'
  | 'control-characters'
  | 'too-long'
  /** Only https; and http, where it leads to this machine. */
  | 'scheme'
  | 'credentials';

/** How long a program may take to complain. Some are the browser itself and stay. */
const COMPLAINT_MS = 2000;
/** No system hands over much more in one argument. */
const MAX_LENGTH = 8192;

export async function openBrowser(
  url: string,
  { environment = hostEnvironment(), clock = systemClock }: OpenBrowserOptions = {},
): Promise<BrowserOpening> {
  const why = urlRefusal(url);
  if (why !== undefined) return { kind: 'refused', why };
  const openers = openersFor(environment);
  const path = environment.env['PATH'] ?? environment.env['Path'] ?? '';
  // A folder that is not complete would be found in the project, and so would a program that came with it.
  const searched = path.split(delimiter).filter(isAbsolute).join(delimiter);
  for (const [program, ...args] of openers) {
    if (searched === '' && !/[\\/]/.test(program)) continue;
    const found = await findProgram({ command: program, cwd: environment.cwd, searched });
    if (found.kind !== 'executable') continue;
    return run([found.path, ...args, plainArgument(url)], environment, clock);
  }
  return { kind: 'no-opener', tried: openers.map(([program]) => program) };
}

/** Why a url is not to be opened, if so. */
export function urlRefusal(url: string): UrlRefusal | undefined {
  // `URL` would leave some of them out silently.
  if (CONTROLS.test(url)) return 'control-characters';
  if (url.length > MAX_LENGTH) return 'too-long';
  if (!isUrl(url)) return 'not-a-url';
  const { protocol, hostname, username, password } = new URL(url);
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
  if (!isAllowed) return 'scheme';
  // `https://bank.example@evil.example/` looks like the bank's.
  return username === '' && password === '' ? undefined : 'credentials';
}

/** Blanks as well: none belongs into a url. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Z}]/u;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * As `URL` writes it, so it starts with the scheme and never with a dash. What a shell would take for its
 * own is encoded, which means the same to the server: some openers are scripts, and not all of them careful.
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
  // The person's own choice, and nothing else: `none` is a way to say that nothing is to be opened.
  if (chosen !== '') return [[chosen]];
  if (platform === 'darwin') return [['open']];
  if (platform === 'win32') {
    const system = join(env['SystemRoot'] ?? env['SYSTEMROOT'] ?? 'C:\\Windows', 'System32');
    return [[join(system, 'rundll32.exe'), 'url.dll,FileProtocolHandler']];
  }
  const hasScreen = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((name) => (name ?? '') !== '');
  // Without a screen it looks for a browser in the terminal, which is not its to take.
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
      // All of it, unlike for servers: a browser is found and shown by what the session of the person sets. Without the
      // mark of what this process runs in, with which the browser would end.
      env: { ...env, [MARK_VARIABLE]: undefined },
      cwd,
      shell: false,
      stdio: 'ignore',
      // The browser stays when we leave.
      detached: true,
      windowsHide: true,
    });
  } catch (thrown) {
    return { kind: 'failed', program, code: codeOf(thrown) ?? 'UNKNOWN' };
  }
  const code = await complaintOf(child, clock);
  return code === undefined ? { kind: 'opened', program } : { kind: 'failed', program, code };
}

async function complaintOf(
  child: ChildProcess,
  clock: Clock,
): Promise<number | string | undefined> {
  let timer: Disposable | undefined;
  try {
    return await new Promise((resolve) => {
      child.once('error', (thrown) => resolve(codeOf(thrown) ?? 'UNKNOWN'));
      child.once('exit', (code, signal) => resolve(code === 0 ? undefined : (code ?? signal ?? 0)));
      timer = clock.after(COMPLAINT_MS, () => resolve(undefined));
    });
  } finally {
    timer?.[Symbol.dispose]();
    child.unref();
  }
}
