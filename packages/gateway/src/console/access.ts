// Who may use the console. A program sends a token, as at `/mcp`. A page in a browser exchanges the token in its
// address, which works once and for a short time, for a cookie. The fronts decide which host names and origins are
// admitted.

import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@plugboard/base';
import type { Reader } from '../client/index.ts';
import { type GuardOptions, judge, type Refusal } from '../front/index.ts';

export interface AccessOptions {
  readonly guard: GuardOptions;
  /** Principals that see everything. */
  readonly administrators: readonly string[];
  /** A token of administrators for the console alone, such as of the commands of the user who started the gateway. */
  readonly secret?: string | undefined;
  /** Every principal with a token, by default. */
  readonly readers?: 'administrators' | undefined;
}

export type Admission =
  | { readonly kind: 'reader'; readonly reader: Reader }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** The principal of those who came by an address of the one who started the gateway. */
const ADMINISTRATOR = 'administrator';

const TOKEN_BYTES = 32;
const LAUNCH_MS = 5 * 60_000;
/** Of one principal, which takes nothing from others. */
const MOST_LAUNCHES = 20;
/** A session that was not used for so long is over. */
const SESSION_MS = 12 * 60 * 60_000;
/** Of one principal. */
const MOST_SESSIONS = 100;
const CONSOLE_HEADER = 'x-plugboard-console';

interface Kept {
  readonly reader: Reader;
  until: number;
}

export class Access {
  readonly #options: AccessOptions;
  readonly #guard: GuardOptions;
  readonly #administrators: ReadonlySet<string>;
  readonly #clock: Clock;
  /** By the digests of their tokens. */
  readonly #launches = new Map<string, Kept>();
  readonly #sessions = new Map<string, Kept>();

  constructor(options: AccessOptions, clock: Clock) {
    const { guard, administrators } = options;
    this.#options = options;
    // Other origins that may call servers are no pages of the console.
    this.#guard = { ...guard, origins: [], tokens: undefined, takesLinks: true };
    this.#administrators = new Set([...administrators, ADMINISTRATOR]);
    this.#clock = clock;
  }

  /** A token for the address of the page. */
  launch(reader: Reader = { principal: ADMINISTRATOR, isAdministrator: true }): string {
    return this.#keep(this.#launches, { reader, lasts: LAUNCH_MS, most: MOST_LAUNCHES });
  }

  /** The cookie for the token of an address, which is used up, and who comes with it. */
  enter(
    token: string,
    request: IncomingMessage,
  ): { readonly cookie: string; readonly reader: Reader } | undefined {
    const launch = this.#find(this.#launches, token);
    if (launch === undefined) return undefined;
    this.#launches.delete(digest(token));
    const { reader } = launch;
    const value = this.#keep(this.#sessions, { reader, lasts: SESSION_MS, most: MOST_SESSIONS });
    const cookie = `${cookieName(request)}=${value}; Path=/console; HttpOnly; SameSite=Strict`;
    return { cookie, reader };
  }

  /** Ends the session of a browser, and has it forget the cookie. */
  leave(request: IncomingMessage): string {
    for (const value of cookiesOf(request)) this.#sessions.delete(digest(value));
    return `${cookieName(request)}=; Path=/console; HttpOnly; SameSite=Strict; Max-Age=0`;
  }

  /** Why a request is not answered at all: for its name, its origin, or since any page could have had a browser send it. */
  refusal(request: IncomingMessage, wanted: 'page' | 'api'): Refusal | undefined {
    const verdict = judge(request, this.#guard);
    if (verdict.kind === 'refused') return verdict.refusal;
    if (wanted === 'page') return undefined;
    const site = request.headers['sec-fetch-site'] ?? 'none';
    if (site !== 'same-origin' && site !== 'none') return FOREIGN;
    const isMarked = request.headers[CONSOLE_HEADER] === '1';
    return request.method === 'POST' && !isMarked ? UNMARKED : undefined;
  }

  /** Whose request it is, of those that are not refused. */
  readerOf(request: IncomingMessage): Admission {
    const session = cookiesOf(request)
      .map((value) => this.#find(this.#sessions, value))
      .find((kept) => kept !== undefined);
    if (session !== undefined && request.headers.authorization === undefined) {
      session.until = this.#clock.now() + SESSION_MS;
      return { kind: 'reader', reader: session.reader };
    }
    const verdict = judge(request, { ...this.#guard, tokens: this.#tokens });
    if (verdict.kind === 'refused') return verdict;
    const { principal } = verdict;
    const isAdministrator = this.#administrators.has(principal);
    return { kind: 'reader', reader: { principal, isAdministrator } };
  }

  /** Read anew each time: those of clients may be replaced. */
  get #tokens(): ReadonlyMap<string, string> {
    const { guard, administrators, secret, readers } = this.#options;
    const tokens = new Map(
      [...(guard.tokens ?? [])].filter(
        ([, principal]) => readers === undefined || administrators.includes(principal),
      ),
    );
    return secret === undefined ? tokens : tokens.set(secret, ADMINISTRATOR);
  }

  #find(kept: Map<string, Kept>, token: string): Kept | undefined {
    const found = kept.get(digest(token));
    return found !== undefined && found.until > this.#clock.now() ? found : undefined;
  }

  #keep(
    kept: Map<string, Kept>,
    { reader, lasts, most }: { readonly reader: Reader; readonly lasts: number; most: number },
  ): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const own = [...kept].filter((each) => each[1].reader.principal === reader.principal);
    const [oldest] = own;
    if (oldest !== undefined && own.length >= most) kept.delete(oldest[0]);
    kept.set(digest(token), { reader, until: this.#clock.now() + lasts });
    return token;
  }
}

const FOREIGN: Refusal = { status: 403, reason: 'Pages of other sites may not read the console' };
const UNMARKED: Refusal = { status: 403, reason: `The header "${CONSOLE_HEADER}: 1" is missing` };

/** What is looked up by its digest cannot be found out by how long that takes. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Browsers send the cookies of all ports of a machine: another gateway there has one of its own. */
function cookieName({ socket }: IncomingMessage): string {
  return `plugboard-console-${socket.localPort ?? 0}`;
}

/** All of that name: a program at another port of this machine may have set one, too. */
function cookiesOf(request: IncomingMessage): readonly string[] {
  const name = `${cookieName(request)}=`;
  return (request.headers.cookie ?? '')
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(name))
    .map((each) => each.slice(name.length));
}
