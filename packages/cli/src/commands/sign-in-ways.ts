// The ways to sign in at a terminal: in a browser that is opened here, in another browser whose final address the user pastes,
// or with a code on another device. Tells the user what to do, and shows what the command is waiting for.

import { isUrl, systemClock } from '@plugboard/base';
import { eitherRedirect, type LoginWay, openBrowser } from '@plugboard/host';
import { type HostEnvironment, hostEnvironment } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import {
  BAD_PASTE,
  browserWords,
  deviceWords,
  type NoBrowser,
  noBrowserWords,
  NOTHING_TO_PASTE,
  openYourselfWords,
  PASTE_PROMPT,
  pasteWords,
} from '../print/login-words.ts';
import type { Status } from '../print/progress.ts';
import { untilAborted } from './until-aborted.ts';

export interface SignInWish {
  readonly server: string;
  readonly way: 'browser' | 'no-browser' | 'device';
}

const WAITING = 'waiting for you to sign in…';

export function signInWay(context: Context, wish: SignInWish, status: Status): LoginWay {
  const { server, way } = wish;
  if (way === 'device') {
    return {
      kind: 'device',
      show: (prompt) => {
        status.say(undefined);
        context.terminal.err.write(deviceWords(server, prompt, systemClock.now()));
        status.say(WAITING);
      },
    };
  }
  const environment = hostEnvironment();
  const why = way === 'no-browser' ? 'asked' : noBrowserReason(environment);
  const signIn = new BrowserSignIn(context, { server, environment, status, why });
  const browser = eitherRedirect({
    show: (url) => signIn.show(url),
    ask: (signal) => signIn.ask(signal),
  });
  return { kind: 'browser', browser };
}

/** Why no browser is opened. `undefined` if one is. BROWSER takes precedence, also over SSH. */
export function noBrowserReason({
  env,
  platform,
}: Pick<HostEnvironment, 'env' | 'platform'>): NoBrowser | undefined {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  if (isSet('BROWSER')) return undefined;
  if (isSet('SSH_CONNECTION') || isSet('SSH_TTY')) return 'ssh';
  const hasScreen = isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') || isSet('WSL_DISTRO_NAME');
  return platform === 'linux' && !hasScreen ? 'no-screen' : undefined;
}

interface BrowserSignInOptions extends Pick<SignInWish, 'server'> {
  readonly environment: HostEnvironment;
  readonly status: Status;
  /** Why no browser is opened. `undefined` if one is. */
  readonly why: NoBrowser | undefined;
}

/** Shows the address to the person, and reads the address that they paste. */
class BrowserSignIn {
  readonly #context: Context;
  readonly #options: BrowserSignInOptions;
  /** A browser was opened here, so the redirect arrives without pasting. */
  #isOpened = false;

  constructor(context: Context, options: BrowserSignInOptions) {
    this.#context = context;
    this.#options = options;
  }

  async show(url: URL): Promise<void> {
    const { server, status, why } = this.#options;
    const { err } = this.#context.terminal;
    status.say(undefined);
    const found = why ?? (await this.#open(url));
    if (found === 'opened') {
      this.#isOpened = true;
      status.say(WAITING);
      return;
    }
    err.write(noBrowserWords(found));
    // If a browser was tried, the address has been shown already.
    if (why !== undefined) err.write(openYourselfWords(server, url));
    err.write(pasteWords(portOf(url)));
  }

  async ask(signal: AbortSignal): Promise<string | undefined> {
    const { input, err, interrupted } = this.#context.terminal;
    if (this.#isOpened) return untilAborted(signal);
    let isFirst = true;
    for (;;) {
      const line = await input.ask(PASTE_PROMPT, { signal });
      if (signal.aborted || interrupted.aborted) return undefined;
      if (line !== undefined && isRedirect(line)) return line;
      // On a terminal, the person has stopped. Otherwise the input has ended, and the redirect may still arrive.
      if (line === undefined && (input.isTty || !isFirst)) return undefined;
      if (line === undefined) {
        err.write(NOTHING_TO_PASTE);
        return untilAborted(signal);
      }
      err.write(BAD_PASTE);
      isFirst = false;
    }
  }

  async #open(url: URL): Promise<NoBrowser> {
    const { server, environment } = this.#options;
    this.#context.terminal.err.write(browserWords(server, url));
    return (await openBrowser(url.href, { environment })).kind;
  }
}

function isRedirect(line: string): boolean {
  return /[?&]state=/.test(line) && /[?&](?:code|error)=/.test(line);
}

function portOf(url: URL): string {
  const redirect = url.searchParams.get('redirect_uri') ?? '';
  return isUrl(redirect) ? new URL(redirect).port : '';
}
