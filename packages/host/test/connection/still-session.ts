// A session that only does what a test requests, and a connection over such sessions.

import { err, ok, type Result, silentLogger, systemClock } from '@plugboard/base';
import {
  Connection,
  type ConnectionPorts,
  type Opening,
  type Upkeep,
} from '../../src/connection/connection.ts';
import type { ConnectionFailure } from '../../src/connection/state.ts';
import type { ProtocolFailure, Session } from '../../src/protocol/index.ts';

const CLOSED = err<ProtocolFailure>({ kind: 'closed' });

export class StillSession {
  closes = 0;
  pings = 0;
  /** The answer to the next pings. */
  pong: Result<void, ProtocolFailure> = ok(undefined);
  end: (failure: ProtocolFailure) => void = () => {};
  activity = { running: 0, lastUse: 0 };
  /** Ends the running call. */
  answer: () => void = () => {};
  readonly session: Session;

  constructor() {
    const closed = new Promise<ProtocolFailure>((resolve) => {
      this.end = resolve;
    });
    const activityNow = (): Session['activity'] => this.activity;
    const nothing = { [Symbol.dispose]: () => {} };
    this.session = {
      era: 'legacy',
      protocolVersion: '2025-11-25',
      server: undefined,
      instructions: undefined,
      closed,
      get activity() {
        return activityNow();
      },
      listTools: () =>
        Promise.resolve(
          ok({ items: [], nextCursor: undefined, rejected: [], freshness: undefined }),
        ),
      callTool: () =>
        new Promise((resolve) => {
          this.answer = () => resolve(err({ kind: 'closed' }));
        }),
      ping: () => {
        this.pings += 1;
        return Promise.resolve(this.pong);
      },
      features: {
        resources: false,
        subscriptions: false,
        prompts: false,
        completions: false,
        skills: false,
        announces: new Set(),
      },
      resources: {
        list: () => Promise.resolve(CLOSED),
        templates: () => Promise.resolve(CLOSED),
        read: () => Promise.resolve(CLOSED),
        watch: () => ({ begun: Promise.resolve(ok(undefined)), ...nothing }),
      },
      prompts: { list: () => Promise.resolve(CLOSED), get: () => Promise.resolve(CLOSED) },
      skills: {
        list: () => Promise.resolve(CLOSED),
        get: () => Promise.resolve(CLOSED),
        read: () => Promise.resolve(CLOSED),
      },
      complete: () => Promise.resolve(CLOSED),
      credentialsMark: () => Promise.resolve(''),
      watchLists: () => nothing,
      watchLog: () => nothing,
      watchNotifications: () => nothing,
      notify: () => Promise.resolve(ok(undefined)),
      close: () => {
        this.closes += 1;
        return Promise.resolve();
      },
    };
  }
}

type OpenResult = Result<Session, ConnectionFailure>;

/** An opener whose attempts wait until the test decides them. */
export function decidedOpener(): {
  readonly open: Opening<Session>;
  readonly decide: ((opened: OpenResult) => void)[];
  readonly signals: AbortSignal[];
} {
  const decide: ((opened: OpenResult) => void)[] = [];
  const signals: AbortSignal[] = [];
  const open: Opening<Session> = (signal) => {
    signals.push(signal);
    return new Promise((resolve) => decide.push(resolve));
  };
  return { open, decide, signals };
}

const PLAIN: Upkeep = {
  reconnection: {
    isAutomatic: false,
    backoff: { firstMs: 1000, maxMs: 30_000, maxAttempts: 5 },
  },
  idleStopMs: undefined,
  heartbeat: undefined,
};

export function connectionOver(
  open: Opening<Session>,
  ports: Partial<Omit<ConnectionPorts, 'upkeep'>> & { readonly upkeep?: Partial<Upkeep> } = {},
): Connection {
  return new Connection(
    's',
    { kind: 'idle' },
    {
      open,
      clock: systemClock,
      logger: silentLogger,
      random: () => 1,
      ...ports,
      upkeep: { ...PLAIN, ...ports.upkeep },
    },
  );
}
