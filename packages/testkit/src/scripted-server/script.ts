// What a scripted server does, as data: the script travels to the server's process as one JSON
// argument. All behaviours combine. Left out, a server is dual-era, well-behaved and has every
// built-in tool.

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
  /** A member that no revision of the protocol has. */
  readonly vendor?: Json;
  /** What every call gets. Left out: empty content. */
  readonly result?: JsonObject;
  /** The text of the result, to the letter. */
  readonly resultText?: string;
  /** What every call is refused with, in place of a result. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
}

/** What a server has beside tools. With it comes the tool `touch`, which says that a resource changed. */
export interface Library {
  /** One without text or blob is read as a count of the readings so far. */
  readonly resources?: readonly {
    readonly uri: string;
    readonly name: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
    readonly title?: string;
    /** Of the listed resource and of its contents. */
    readonly _meta?: JsonObject;
    /** Can be read and is not listed. */
    readonly hidden?: true;
  }[];
  /** `unheard-of`: it knows no such method, like servers made before templates were common. */
  readonly templates?: readonly JsonObject[] | 'unheard-of';
  readonly prompts?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly arguments?: readonly JsonObject[];
    readonly messages?: readonly JsonObject[];
  }[];
  /** Candidates by the name of the argument. */
  readonly completions?: Readonly<Record<string, readonly string[]>>;
  readonly skills?: readonly JsonObject[];
  /** Whether it says so when its lists change; the tool `announce` does. */
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
  /** In place of those of their names, or beside the others. */
  readonly tools?: readonly ScriptedTool[];
  readonly removed?: readonly string[];
  readonly instructions?: string;
  /** A call of this tool says that the list changed. */
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
  /** For how long modern answers may be kept, and whether by everyone. */
  readonly ttlMs?: number;
  readonly cacheScope?: 'public' | 'private';

  /** Which of the built-in tools it has: all, by default. */
  readonly builtIns?: readonly string[];
  readonly tools?: readonly ScriptedTool[];
  readonly pages?: Pages;
  readonly listDelayMs?: number;
  /** The first so many `tools/list` requests fail. */
  readonly failListTimes?: number;

  /**
   * In the modern era: the Tasks extension, with tools that are answered with tasks (`greet`,
   * `slow_compute`, `failing_job`, `protocol_error_job`, `confirm_delete`, `job`) and `task_log`,
   * which tells what was asked about tasks. In the legacy era: the tasks of 2025-11-25, in which a
   * client has any tool run; see `legacy-tasks.ts`.
   */
  readonly tasks?: boolean;

  readonly library?: Library;

  /** Adds a tool `ask`, which asks what its arguments say; see `asking-tool.ts`. */
  readonly asks?: boolean;
  /**
   * Tools that ask the client: `ask` (a `method` with `params`, `times` over, with `inTurn` one after the
   * other) answers with what it was told, `say` sends a notification `times` over, `backwards` tells progress
   * as its `steps` say, `heard` tells what the
   * client said unasked and what it declared.
   */
  readonly asking?: boolean;
  /** Methods of no revision, which are answered with their own parameters. */
  readonly ownMethods?: readonly string[];

  /** Reads everything, answers nothing. */
  readonly silent?: boolean;
  /** Answers with text that is not JSON: always, or to these methods. */
  readonly invalidJson?: 'always' | readonly string[];
  /** Adds a tool `huge` whose answer is a line of exactly this many bytes (without its newline). */
  readonly hugeLineBytes?: number;
  /** Ends right after its first answer to `initialize` or `server/discover`. */
  readonly exitAfterInitialize?: Crash;
  /** Ends in the middle of a call of this tool; with `onceAt`, only while no file is there. */
  readonly crashOn?: Crash & { readonly tool: string; readonly onceAt?: string };
  /** A call of `tool` adds another tool and says that the list changed. */
  readonly growOn?: { readonly tool: string };
  /** What it is from the moment on that a file is there; until then it is what the rest of the script says. */
  readonly swap?: Swap;
  /** From the so-manieth `tools/list` on, all fail. */
  readonly failListFrom?: number;
  /** Every request but the first writes its method to the log, where the client wants the log. */
  readonly logsOnRequest?: boolean;
  /** Every call writes this to the log. */
  readonly logsOnCall?: string;
}

/** Behaviours of a server that is a process of its own and speaks on stdin and stdout. */
export interface Script extends CommonScript {
  /** For so long it does not even read. */
  readonly startDelayMs?: number;
  readonly exitAtStart?: Crash;
  /** Stray lines on stdout, before and between the answers. */
  readonly chatty?: boolean;
  /** So many bytes on stderr at the start. */
  readonly stderrFlood?: number;
  /** So many sleeping processes in its group; stderr and the tool `pids` report each pid. */
  readonly grandchildren?: number;
  /** Whether grandchildren hold the server's stdout and stderr open, as those of `npx` do. */
  readonly grandchildrenStdio?: 'ignore' | 'inherit';
  /** Survives these, and says on stderr that it got them. */
  readonly ignoreSignals?: readonly ('SIGINT' | 'SIGTERM')[];
  /** Keeps running when stdin ends, and says so on stderr. */
  readonly ignoreStdinEnd?: boolean;
}

export interface HttpFaults {
  /** Only on requests of these methods (`initialize`, `tools/call`, …); all by default. */
  readonly methods?: readonly string[];
  /** Only on the first so many of them. */
  readonly times?: number;
  readonly status?: 400 | 401 | 403 | 404 | 500 | 502;
  /** The body that goes with the status, instead of one that says nothing. */
  readonly body?: JsonObject;
  /** The body is a web page, as proxies give. */
  readonly html?: true;
  readonly delayMs?: number;
  /** Answers 200 without a body. */
  readonly emptyBody?: true;
  /** The right body, declared as something else. */
  readonly wrongContentType?: true;
  /** Cuts the connection after so many bytes of the body. */
  readonly resetAfterBytes?: number;
}

/** Behaviours of a server on HTTP. */
export interface HttpScript extends CommonScript {
  readonly http?: HttpFaults & {
    /** How requests are answered: JSON, until something must be said before the answer, by default. */
    readonly answerWith?: 'json' | 'sse';
  };
}
