// Decides who may use the console. A program sends a token, as at `/mcp`. A page in a browser exchanges the token in its
// address, which works once and for a short time, for a cookie. The guard of the fronts checks host names and origins.

import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@plugboard/base';
import type { Reader } from '../client/index.ts';
import { type GuardOptions, judge, type Refusal } from '../front/index.ts';

export interface AccessOptions {
  readonly guard: GuardOptions;
  /** Principals that see everything. */
  readonly administrators: readonly string[];
  /** A token of administrators for the console alone; the commands of the user who started the gateway use it. */
  readonly secret?: string | undefined;
  /** Who may use the console: every principal with a token, by default. */
  readonly readers?: 'administrators' | undefined;
}

export type Admission =
  | { readonly kind: 'reader'; readonly reader: Reader }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** The principal of `secret`, and of addresses made by default. */
const ADMINISTRATOR = 'administrator';

const TOKEN_BYTES = 32;
const LAUNCH_MS = 5 * 60_000;
/** Per principal. */
const MOST_LAUNCHES = 20;
/** A session ends after this time without use. */
const SESSION_MS = 12 * 60 * 60_000;
/** Per principal. */
const MOST_SESSIONS = 100;
const CONSOLE_HEADER = 'x-plugboard-console';

interface Ticket {
  readonly reader: Reader;
  until: number;
}

export class Access {
  readonly #options: AccessOptions;
  readonly #guard: GuardOptions;
  readonly #administrators: ReadonlySet<string>;
  readonly #clock: Clock;
  /** By the digest of the token. */
  readonly #launches = new Map<string, Ticket>();
  readonly #sessions = new Map<string, Ticket>();

  constructor(options: AccessOptions, clock: Clock) {
    const { guard, administrators } = options;
    this.#options = options;
    // Origins that may call servers are not pages of the console.
    this.#guard = { ...guard, origins: [], tokens: undefined, takesLinks: true };
    this.#administrators = new Set([...administrators, ADMINISTRATOR]);
    this.#clock = clock;
  }

  /** Makes a token for the address of the page. */
  launch(reader: Reader = { principal: ADMINISTRATOR, isAdministrator: true }): string {
    return this.#issue(this.#launches, { reader, lifetime: LAUNCH_MS, most: MOST_LAUNCHES });
  }

  /** Exchanges the token of an address, which then no longer works, for a cookie. */
  enter(
    token: string,
    request: IncomingMessage,
  ): { readonly cookie: string; readonly reader: Reader } | undefined {
    const launch = this.#find(this.#launches, token);
    if (launch === undefined) return undefined;
    this.#launches.delete(digest(token));
    const { reader } = launch;
    const value = this.#issue(this.#sessions, {
      reader,
      lifetime: SESSION_MS,
      most: MOST_SESSIONS,
    });
    const cookie = `${cookieName(request)}=${value}; Path=/console; HttpOnly; SameSite=Strict`;
    return { cookie, reader };
  }

  /** Ends the session of a browser; returns the header that deletes its cookie. */
  leave(request: IncomingMessage): string {
    for (const value of cookiesOf(request)) this.#sessions.delete(digest(value));
    return `${cookieName(request)}=; Path=/console; HttpOnly; SameSite=Strict; Max-Age=0`;
  }

  /** Why a request is refused: for its host name or origin, or because any page could have made a browser send it. */
  refusal(request: IncomingMessage, wanted: 'page' | 'api'): Refusal | undefined {
    const verdict = judge(request, this.#guard);
    if (verdict.kind === 'refused') return verdict.refusal;
    if (wanted === 'page') return undefined;
    const site = request.headers['sec-fetch-site'] ?? 'none';
    if (site !== 'same-origin' && site !== 'none') return FOREIGN;
    const isMarked = request.headers[CONSOLE_HEADER] === '1';
    return request.method === 'POST' && !isMarked ? UNMARKED : undefined;
  }

  /** Who sent a request that `refusal` admits. */
  readerOf(request: IncomingMessage): Admission {
    const session = cookiesOf(request)
      .map((value) => this.#find(this.#sessions, value))
      .find((ticket) => ticket !== undefined);
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

  /** Built each time, since the tokens of clients can be replaced. */
  get #tokens(): ReadonlyMap<string, string> {
    const { guard, administrators, secret, readers } = this.#options;
    const tokens = new Map(
      [...(guard.tokens ?? [])].filter(
        ([, principal]) => readers === undefined || administrators.includes(principal),
      ),
    );
    return secret === undefined ? tokens : tokens.set(secret, ADMINISTRATOR);
  }

  #find(tickets: Map<string, Ticket>, token: string): Ticket | undefined {
    const found = tickets.get(digest(token));
    return found !== undefined && found.until > this.#clock.now() ? found : undefined;
  }

  #issue(
    tickets: Map<string, Ticket>,
    {
      reader,
      lifetime,
      most,
    }: { readonly reader: Reader; readonly lifetime: number; most: number },
  ): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const own = [...tickets].filter((each) => each[1].reader.principal === reader.principal);
    const [oldest] = own;
    if (oldest !== undefined && own.length >= most) tickets.delete(oldest[0]);
    tickets.set(digest(token), { reader, until: this.#clock.now() + lifetime });
    return token;
  }
}

const FOREIGN: Refusal = { status: 403, reason: 'Pages of other sites may not read the console' };
const UNMARKED: Refusal = { status: 403, reason: `The header "${CONSOLE_HEADER}: 1" is missing` };

/** Looking up by digest reveals nothing about tokens by its time. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Browsers send the cookies of all ports of a machine, so each gateway has its own name. */
function cookieName({ socket }: IncomingMessage): string {
  return `plugboard-console-${socket.localPort ?? 0}`;
}

/** All values of the cookie: a program at another port of this machine may have set one, too. */
function cookiesOf(request: IncomingMessage): readonly string[] {
  const name = `${cookieName(request)}=`;
  return (request.headers.cookie ?? '')
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(name))
    .map((each) => each.slice(name.length));
}
