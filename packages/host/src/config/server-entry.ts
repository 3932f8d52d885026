// A server as the rest of the host sees it: checked, of one kind, with nothing left to guess.

export interface CommonFields {
  readonly disabled: boolean;
  /** A command fails when this server does. */
  readonly required: boolean;
  /** Its tools are always shown to the model, never deferred. */
  readonly alwaysLoad: boolean;
  /** Calls may run at once, whatever they do. */
  readonly parallel?: boolean;
  /** Milliseconds a call may take. */
  readonly timeout?: number;
  /** Milliseconds a connection may take. */
  readonly connectTimeout?: number;
  readonly reconnect?: { readonly maxAttempts?: number; readonly delayMs?: number };
  readonly tools?: {
    /** One list for each source that limits them; a tool must match each list. */
    readonly include?: readonly (readonly string[])[];
    readonly exclude?: readonly string[];
  };
  readonly permissions?: Readonly<Record<string, unknown>>;
  /** How large results may be, of any tool and of some by name. */
  readonly output?: {
    readonly maxCharacters?: number;
    readonly maxTokens?: number;
    readonly tools?: Readonly<
      Record<string, { readonly maxCharacters?: number; readonly maxTokens?: number }>
    >;
  };
  readonly lifecycle?: 'eager' | 'lazy' | 'keep-alive';
  readonly protocol?: 'auto' | 'legacy' | 'modern';
  /** Whether it may have a model asked, and how much. */
  readonly sampling?: {
    readonly enabled?: boolean;
    readonly maxRequests?: number;
    readonly maxRequestsPerMinute?: number;
    readonly maxTokens?: number;
    readonly maxTokensPerMinute?: number;
    readonly maxTokensPerRequest?: number;
  };
  /** Whether it is told the folders that are worked in. */
  readonly roots?: boolean;
}

export interface StdioEntry extends CommonFields {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly envFile?: string;
  /** All hosts of this user use one process of it, which outlives them for a while. */
  readonly shared?: boolean;
}

export interface RemoteEntry extends CommonFields {
  /** `http-or-sse`: a url without a type; Streamable HTTP is tried first, then HTTP+SSE. */
  readonly kind: 'http' | 'sse' | 'ws' | 'http-or-sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly headersHelper?: string;
  readonly oauth?: Readonly<Record<string, unknown>>;
}

/** Supplied in process by the embedding program. */
export interface SdkEntry extends CommonFields {
  readonly kind: 'sdk';
  /** Of one that is the same in every run: what it lists may be kept under this name. */
  readonly edition?: string;
}

export type ServerEntry = StdioEntry | RemoteEntry | SdkEntry;
