// How a front refuses a request.

export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const TOO_MANY_SESSIONS: Refusal = { status: 503, reason: 'There are too many sessions' };

/** When one token has too much in progress; short enough for the close frame of a WebSocket. */
export const TOO_MUCH =
  'Too much of this token is being worked on. Wait for an answer, or send less at a time.';
