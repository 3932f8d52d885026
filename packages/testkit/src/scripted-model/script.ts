// The script of a model: one turn for each request, in order of arrival. It is JSON, so that a script can be a file; in
// a test, a turn may also be a function of the request.

export interface ModelScript {
  readonly turns: readonly ModelTurn[];
  /** For every request after the last turn; by default, those are refused. */
  readonly otherwise?: ModelTurn;
}

/** A string is a turn with only this text. */
export type ModelTurn = string | AnswerTurn | FailingTurn;

export interface AnswerTurn {
  readonly kind: 'answer';
  readonly steps: readonly ModelStep[];
  readonly usage?: ScriptedUsage;
  /** By default `calls` if there are any, otherwise `stop`. */
  readonly stop?: 'stop' | 'calls' | 'length' | 'filtered';
  /** Only for a request whose body contains this text, so that parallel requests get their turns. */
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
  /** Waits until this name is released. */
  | { readonly kind: 'hold'; readonly name: string }
  /** A number of words at a given speed. */
  | { readonly kind: 'pace'; readonly tokens: number; readonly perSecond: number }
  /** Cuts the connection. */
  | { readonly kind: 'cut' }
  /** Ends the response without the end of the answer. */
  | { readonly kind: 'end-early' }
  /** Sends arbitrary data as an event. */
  | { readonly kind: 'raw'; readonly data: string }
  /** The provider fails in the middle of its answer. */
  | { readonly kind: 'fail'; readonly failure: ScriptedFailure };

export interface ScriptedCall {
  readonly kind: 'call';
  readonly tool: string;
  /** A string is sent unchanged, so that it can be invalid JSON. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
  readonly id?: string;
}

export interface ScriptedUsage {
  /** All input tokens, including those read from and written to the cache. */
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
