// What a scripted model does, turn by turn: one turn for each request, in the order in which requests come. All of it
// is JSON, so that a script can be a file; inside a test a turn may be a function of the request as well.

export interface ModelScript {
  readonly turns: readonly ModelTurn[];
  /** For every request after the last turn; left out, those are refused. */
  readonly otherwise?: ModelTurn;
}

/** A text is a turn that says just that. */
export type ModelTurn = string | AnswerTurn | FailingTurn;

export interface AnswerTurn {
  readonly kind: 'answer';
  readonly steps: readonly ModelStep[];
  readonly usage?: ScriptedUsage;
  /** Left out: `calls` where there are some, else `stop`. */
  readonly stop?: 'stop' | 'calls' | 'length' | 'filtered';
  /** Takes only a request in whose body this stands, so that requests at one time find their turns. */
  readonly when?: string;
}

export interface FailingTurn {
  readonly kind: 'fails';
  readonly failure: ScriptedFailure;
  readonly when?: string;
}

export type ModelStep =
  /** One delta. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string; readonly signature?: string }
  | ScriptedCall
  /** Goes on once it is released by this name. */
  | { readonly kind: 'hold'; readonly name: string }
  /** So many words, at that speed. */
  | { readonly kind: 'pace'; readonly tokens: number; readonly perSecond: number }
  /** The connection is cut. */
  | { readonly kind: 'cut' }
  /** The answer ends here, politely and without its end. */
  | { readonly kind: 'end-early' }
  /** Sent as the data of an event, whatever it is. */
  | { readonly kind: 'raw'; readonly data: string }
  /** The provider fails in the middle of its answer. */
  | { readonly kind: 'fail'; readonly failure: ScriptedFailure };

export interface ScriptedCall {
  readonly kind: 'call';
  readonly tool: string;
  /** A text is sent as it is, so that it need not be JSON. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
  readonly id?: string;
}

export interface ScriptedUsage {
  /** All of it, with what was read from the cache and written to it. */
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export type ScriptedFailure =
  | { readonly kind: FailureName; readonly retryAfter?: string }
  | {
      readonly kind: 'custom';
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

export type FailureName =
  | 'bad-key'
  | 'no-access'
  | 'unknown-model'
  | 'context-overflow'
  | 'no-credit'
  | 'rate-limited'
  | 'overloaded'
  | 'server-error';
