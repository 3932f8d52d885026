// The behaviour of a scripted server, as data: the script is passed to the process as one JSON argument. All behaviours
// combine. By default, a server supports both eras, behaves correctly and has every built-in tool.

import type { Json, JsonObject } from '@plugboard/base';

export type Era = 'legacy' | 'modern';

export interface ScriptedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly icons?: readonly JsonObject[];
  readonly execution?: JsonObject;
  readonly _meta?: JsonObject;
  /** A member that no revision defines. */
  readonly vendor?: Json;
  /** The result of every call; empty content by default. */
  readonly result?: JsonObject;
  /** The literal text of the result. */
  readonly resultText?: string;
  /** The error of every call, in place of a result. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
}

/** What a server has besides tools. It adds the tool `touch`, which announces a changed resource. */
export interface Library {
  /** Without text or blob, the content is the number of reads so far. */
  readonly resources?: readonly {
    readonly uri: string;
    readonly name: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
    readonly title?: string;
    /** In the list and in the contents. */
    readonly _meta?: JsonObject;
    /** Can be read, but is not listed. */
    readonly hidden?: true;
  }[];
  /** `unheard-of`: the method is unknown, like in old servers. */
  readonly templates?: readonly JsonObject[] | 'unheard-of';
  readonly prompts?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly arguments?: readonly JsonObject[];
    readonly messages?: readonly JsonObject[];
  }[];
  /** Candidates by argument name. */
  readonly completions?: Readonly<Record<string, readonly string[]>>;
  readonly skills?: readonly JsonObject[];
  /** Whether it declares `listChanged`; the tool `announce` sends it. */
  readonly listChanged?: boolean;
}

export type Pages =
  | { readonly kind: 'normal'; readonly size: number }
  /** Every page has one more tool and a cursor not seen before. */
  | { readonly kind: 'endless' }
  /** Every page is the whole list and points to the same next page. */
  | { readonly kind: 'repeated-cursor' };

export interface Swap {
  /** The file. */
  readonly at: string;
  /** Replaces tools of the same names, and adds others. */
  readonly tools?: readonly ScriptedTool[];
  readonly removed?: readonly string[];
  readonly instructions?: string;
  /** A call of this tool announces the changed list. */
  readonly announcedBy?: string;
}

export interface Crash {
  readonly stderr?: string;
  /** The exit code, or the signal that it sends itself. */
  readonly exit: number | 'SIGKILL';
}

/** Behaviours of every scripted server, whatever the transport. */
export interface CommonScript {
  readonly eras?: readonly Era[];
  /** Legacy revisions it accepts, preferred first. */
  readonly legacyVersions?: readonly string[];
  readonly serverInfo?: { readonly name: string; readonly version: string };
  readonly capabilities?: JsonObject;
  readonly instructions?: string;
  /** The cache lifetime and scope of modern results. */
  readonly ttlMs?: number;
  readonly cacheScope?: 'public' | 'private';

  /** The built-in tools: all by default. */
  readonly builtIns?: readonly string[];
  readonly tools?: readonly ScriptedTool[];
  readonly pages?: Pages;
  readonly listDelayMs?: number;
  /** How many `tools/list` requests fail at first. */
  readonly failListTimes?: number;

  /**
   * In the modern era: the Tasks extension, with tools that return tasks (`greet`, `slow_compute`, `failing_job`,
   * `protocol_error_job`, `confirm_delete`, `job`) and `task_log`, which returns the requests about tasks. In the
   * legacy era: the tasks of 2025-11-25, as which a client can run any tool; see `legacy-tasks.ts`.
   */
  readonly tasks?: boolean;

  readonly library?: Library;

  /** Adds a tool `ask`, which asks the questions in its arguments; see `asking-tool.ts`. */
  readonly asks?: boolean;
  /**
   * Adds tools that ask the client: `ask` sends a `method` with `params`, `times` times, one after the other with
   * `inTurn`, and returns the answers; `say` sends a notification `times` times; `backwards` reports the progress in
   * `steps`; `heard` returns the client's notifications and capabilities.
   */
  readonly asking?: boolean;
  /** Methods that no revision defines, which are answered with their own parameters. */
  readonly ownMethods?: readonly string[];

  /** Reads everything, answers nothing. */
  readonly silent?: boolean;
  /** Answers with text that is not JSON: always, or to these methods. */
  readonly invalidJson?: 'always' | readonly string[];
  /** Adds a tool `huge` whose answer is a line of exactly this many bytes (without its newline). */
  readonly hugeLineBytes?: number;
  /** Ends right after its first answer to `initialize` or `server/discover`. */
  readonly exitAfterInitialize?: Crash;
  /** Ends during a call of this tool; with `onceAt`, only while that file does not exist. */
  readonly crashOn?: Crash & { readonly tool: string; readonly onceAt?: string };
  /** A call of `tool` adds another tool and announces the changed list. */
  readonly growOn?: { readonly tool: string };
  /** Changes that apply once a file exists. */
  readonly swap?: Swap;
  /** All `tools/list` requests from this number on fail. */
  readonly failListFrom?: number;
  /** Every request but the first logs its method, if the client wants logs. */
  readonly logsOnRequest?: boolean;
  /** Every call logs this text. */
  readonly logsOnCall?: string;
}

/** Behaviours of a server that is a process of its own and speaks on stdin and stdout. */
export interface Script extends CommonScript {
  /** The delay before it reads its input. */
  readonly startDelayMs?: number;
  readonly exitAtStart?: Crash;
  /** Stray lines on stdout, before and between the answers. */
  readonly chatty?: boolean;
  /** How many bytes it writes to stderr at the start. */
  readonly stderrFlood?: number;
  /** The number of sleeping processes in its group; stderr and the tool `pids` report each pid. */
  readonly grandchildren?: number;
  /** Whether grandchildren keep the server's stdout and stderr open, like those of `npx`. */
  readonly grandchildrenStdio?: 'ignore' | 'inherit';
  /** Signals that it survives and reports on stderr. */
  readonly ignoreSignals?: readonly ('SIGINT' | 'SIGTERM')[];
  /** Keeps running when stdin ends, and reports that on stderr. */
  readonly ignoreStdinEnd?: boolean;
}

export interface HttpFaults {
  /** Only on requests of these methods (`initialize`, `tools/call`, …); all by default. */
  readonly methods?: readonly string[];
  /** Only on the first ones of them. */
  readonly times?: number;
  readonly status?: 400 | 401 | 403 | 404 | 500 | 502;
  /** The body of the error response. */
  readonly body?: JsonObject;
  /** The body is a web page, as from a proxy. */
  readonly html?: true;
  readonly delayMs?: number;
  /** Answers 200 without a body. */
  readonly emptyBody?: true;
  /** The right body with a wrong content type. */
  readonly wrongContentType?: true;
  /** Cuts the connection after this many bytes of the body. */
  readonly resetAfterBytes?: number;
}

/** Behaviours of a server on HTTP. */
export interface HttpScript extends CommonScript {
  readonly http?: HttpFaults & {
    /** The form of responses; by default JSON, or an event stream if a message precedes the answer. */
    readonly answerWith?: 'json' | 'sse';
  };
}
