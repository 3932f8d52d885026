// The API of the console over HTTP, as plain data. The file has only types, so the page loads no code of the gateway.
// `plugboard status` and `plugboard approvals` use the same API.
//
// All paths are below `/console/api`, and bodies are JSON. Text that came from a server is hostile, and only shown as text. A
// program sends `Authorization: Bearer TOKEN`. A page sends a cookie, which it gets for the token in its address: by
// `POST /console/session`, which takes that `token` once and answers ConsoleState; `POST /console/session/end` ends the
// session. Every POST has the header `X-Plugboard-Console: 1`. A refused request is answered with a ConsoleProblem.
//
//   GET  /state                       ConsoleState: the current state, and the cursor of the feed
//   GET  /events?after=CURSOR         the feed: server-sent events, each a ConsoleEvent whose id is its cursor
//   GET  /calls?before=ID&limit=N     readonly CallView[]: the recorded calls, newest first
//   GET  /calls/ID                    CallDetail
//   GET  /checks                      SavedCallsView; of an administrator
//   POST /checks                      a saved call, as it stands in the file; answers SavedCallsView
//   POST /checks/run                  { name }: runs a saved call, and compares; answers CheckOutcome
//   POST /checks/remove               { name }: removes it from the file; answers SavedCallsView
//   GET  /recording?before=ID&limit=N readonly CallDetail[]: the same as /calls, with their messages
//   GET  /calls/search?text=TEXT      readonly string[]: ids of calls with this text in a message, newest first
//   POST /waiting/ID                  WaitingAnswer: answers a pending approval or question
//   GET  /answered                    readonly AnsweredView[]: answered items, newest first
//   POST /rules/preview               RuleWish: answers RulePreview, and writes nothing
//   POST /rules                       RuleWish: writes the rule; of an administrator
//   GET  /servers/NAME                ServerDetail
//   GET  /servers/NAME/offers         ServerOffers: its resources and prompts; connects to it
//   POST /servers/NAME                ServerAction
//   POST /servers/NAME/doctor         DoctorReport: connects again, and says which step fails
//   GET  /definitions                 readonly DefinitionView[]: the definitions that are kept back
//   POST /definitions                 DefinitionAnswer: accepts or refuses; of an administrator
//   GET  /context?window=TOKENS       ContextView
//   GET  /search?query=TEXT           readonly FoundTool[]: the results of the tool search, best first
//   POST /launch                      Launch: an address that opens the page once; of an administrator
//   POST /run                         RunRequest: calls a tool, reads a resource or gets a prompt; answers RunOutcome

import type { Json, JsonObject } from '@plugboard/base';
import type { Era } from '@plugboard/host/relay';
import type { LogView, TrustView } from './console-parts.ts';

export type * from './console-parts.ts';

/** Milliseconds since 1970. */
export type Time = number;

export interface Launch {
  /** With a token in its fragment. */
  readonly url: string;
}

export interface ConsoleProblem {
  readonly error: string;
}

export interface ConsoleState {
  /** The state includes the steps of the feed up to this one. */
  readonly cursor: number;
  readonly gateway: GatewayView;
  readonly servers: readonly ServerView[];
  readonly clients: readonly ClientView[];
  readonly waiting: readonly WaitingView[];
  readonly traffic: TrafficView;
}

export interface GatewayView {
  readonly version: string;
  readonly since: Time;
  /** The address of `/mcp`. */
  readonly url: string | undefined;
  /** The origin of MCP Apps. */
  readonly apps: string | undefined;
  readonly profiles: readonly string[];
  /** The principal of the reader, and whether the reader sees everything or only their own calls and questions. */
  readonly principal: string;
  readonly isAdministrator: boolean;
}

export interface TrafficView {
  /** Since the start. */
  readonly requests: number;
  readonly failed: number;
  readonly running: number;
}

/** A summary of a server. */
export interface ServerView {
  readonly name: string;
  readonly title: string | undefined;
  readonly version: string | undefined;
  readonly transport: string;
  /** Where it is configured. */
  readonly source: string;
  readonly state:
    | 'idle'
    | 'connecting'
    | 'ready'
    | 'needs-auth'
    /** The connection was lost, and is tried again soon. */
    | 'waiting'
    | 'failed'
    /** The server came with a folder or a plugin, and is not approved. */
    | 'untrusted'
    | 'blocked'
    | 'disabled';
  /** Why it is not ready, and the command that helps. */
  readonly problem: string | undefined;
  readonly command: string | undefined;
  readonly era: Era | undefined;
  readonly protocolVersion: string | undefined;
  /** The number of known tools, and the tokens that their definitions cost a model. */
  readonly tools: number;
  readonly tokens: number;
  /** How many definitions are kept back because they changed or look malicious. */
  readonly quarantined: number;
  readonly calls: number;
  readonly failed: number;
  /** How long each of the last calls took, oldest first; `null` if it failed. */
  readonly latencies: readonly (number | null)[];
}

export interface ClientView {
  readonly id: string;
  /** The name by which it identifies itself. */
  readonly name: string;
  readonly version: string | undefined;
  readonly era: Era;
  readonly front: 'stdio' | 'http' | 'sse' | 'websocket' | 'console';
  readonly principal: string;
  /** Such as `/mcp/profile/work`. */
  readonly path: string;
  readonly since: Time;
  readonly lastAt: Time;
  readonly requests: number;
}

/** A pending approval of a call, or a question of a server that its client cannot show. */
export type WaitingView = ApprovalView | QuestionView;

interface Waiting {
  readonly id: string;
  readonly at: Time;
  /** Without an answer by then, it is denied or declined. */
  readonly until: Time;
  readonly server: string;
  /** The name by which the client identifies itself. */
  readonly client: string;
  /** The recorded call that it belongs to. */
  readonly call: string | undefined;
}

export interface ApprovalView extends Waiting {
  readonly kind: 'approval';
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly script: { readonly name: string; readonly code: string } | undefined;
  /** How long an approval may last. */
  readonly offers: readonly ('once' | 'script' | 'session' | 'always')[];
  /** Why approval is needed: the rule, or that there is no rule. */
  readonly reason: string;
}

export interface QuestionView extends Waiting {
  readonly kind: 'form' | 'page';
  readonly message: string;
  /** Only for a form: its JSON Schema. */
  readonly schema: JsonObject | undefined;
  /** Only for a page. */
  readonly url: string | undefined;
  /** Risks: a form that asks for a secret, or a page whose host may not be what it seems. */
  readonly warnings: readonly ('asks-secret' | 'punycode' | 'ip-address' | 'this-machine')[];
}

/** The answer to an approval or a question. */
export interface AnsweredView {
  readonly waiting: WaitingView;
  /** `gone`: no person answered in time, or the call was cancelled. */
  readonly answer: WaitingAnswer['kind'] | 'gone';
  readonly remember: ApprovalView['offers'][number] | undefined;
  /** The principal who answered. */
  readonly by: string | undefined;
  readonly at: Time;
}

export type WaitingAnswer =
  | { readonly kind: 'allow'; readonly remember: ApprovalView['offers'][number] }
  | { readonly kind: 'deny' }
  | { readonly kind: 'accept'; readonly content?: JsonObject }
  | { readonly kind: 'decline' }
  | { readonly kind: 'cancel' };

export type CallState = 'running' | 'ok' | 'tool-error' | 'error' | 'denied' | 'cancelled';

/** A summary of a request of a client. */
export interface CallView {
  readonly id: string;
  readonly at: Time;
  /** How long it took, once it has ended. */
  readonly ms: number | undefined;
  readonly client: string;
  readonly clientName: string;
  readonly clientEra: Era;
  readonly method: string;
  /** Its tool, prompt or URI, by the server's own name. */
  readonly subject: string | undefined;
  /** `undefined` if the gateway answered by itself. */
  readonly server: string | undefined;
  readonly serverEra: Era | undefined;
  readonly state: CallState;
  /** Why it failed, for people. */
  readonly problem: string | undefined;
  /** The size of all its messages. */
  readonly bytes: number;
  readonly messages: number;
  /** The call that this one repeats. */
  readonly replayOf: string | undefined;
}

export interface CallDetail extends CallView {
  readonly decision: DecisionView | undefined;
  readonly hooks: readonly HookView[];
  /** How often it was sent to the server. */
  readonly attempts: number;
  /** Fewer than `messages` if there were too many to keep. */
  readonly trace: readonly MessageView[];
}

/** The calls that `plugboard check` runs, as the file has them. */
export interface SavedCallsView {
  /** `undefined` if none can be saved. */
  readonly file: string | undefined;
  readonly checks: readonly JsonObject[];
}

/** The result of a saved call, compared with the expectation as `plugboard check` does. */
export interface CheckOutcome extends Omit<RunOutcome, 'result'> {
  /** The differences from the expectation, in words; empty if the call passed. */
  readonly deviations: readonly string[];
}

export interface DecisionView {
  readonly kind: 'allow' | 'deny' | 'ask';
  /** The text of the rule, and its place. */
  readonly rule: string | undefined;
  readonly source: string | undefined;
  readonly reason: string;
  /** The answer, if the decision was to ask. */
  readonly answer: 'allowed' | 'denied' | 'unanswered' | 'allowed-before' | undefined;
}

export interface HookView {
  /** Its place. */
  readonly name: string;
  readonly event: string;
  readonly ms: number;
  readonly outcome: string;
}

export interface MessageView {
  readonly at: Time;
  /** Between client and gateway, or between gateway and server. */
  readonly hop: 'client' | 'server';
  readonly direction: 'to-server' | 'to-client';
  /** The server behind the gateway. */
  readonly server: string | undefined;
  readonly era: Era;
  readonly kind: 'request' | 'notification' | 'result' | 'error';
  readonly method: string | undefined;
  readonly bytes: number;
  /** The HTTP headers, with credentials hidden. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** With secrets hidden. A body that is too large is cut, and then is not valid JSON. */
  readonly body: string;
  readonly isCut: boolean;
}

export interface ServerDetail extends ServerView {
  readonly instructions: string | undefined;
  readonly toolList: readonly ToolView[];
  readonly log: readonly LogView[];
  /** Only for an untrusted server: what an approval would start. */
  readonly trust: TrustView | undefined;
  /** The account that is signed in; only for administrators. */
  readonly signedIn: SignedInView | undefined;
}

export interface SignedInView {
  readonly account: string;
  /** The authorization server of the account. */
  readonly issuer: string;
}

export interface ToolView {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly inputSchema: Json;
  readonly outputSchema: Json | undefined;
  readonly annotations: JsonObject;
  readonly tokens: number;
  /** The decision about a call. */
  readonly decision: DecisionView;
  /** The URI of its MCP App. */
  readonly app: string | undefined;
}

/** Only for administrators. A sign-in is answered when it ends; until then its page waits at the desk. */
export type ServerAction =
  | { readonly kind: 'connect' | 'restart' | 'enable' | 'disable' | 'sign-in' | 'sign-out' }
  /** The digest that was shown. */
  | { readonly kind: 'trust'; readonly digest: string };

export type RunRequest = {
  readonly server: string;
  readonly replayOf?: string;
} & (
  | { readonly kind: 'tool'; readonly tool: string; readonly arguments: JsonObject }
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'prompt'; readonly prompt: string; readonly arguments: JsonObject }
);

export interface RunOutcome {
  /** The recorded call. */
  readonly call: string;
  readonly state: CallState;
  readonly ms: number;
  /** As the server sent it, with secrets hidden. */
  readonly result: JsonObject | undefined;
  readonly problem: string | undefined;
}

/** One step of the feed. A reader that was away for too long gets `reset`, since old steps are not kept. */
export type ConsoleEvent =
  | { readonly kind: 'reset' }
  | { readonly kind: 'server'; readonly server: ServerView }
  | { readonly kind: 'server-gone'; readonly name: string }
  /** A new or changed call. */
  | { readonly kind: 'call'; readonly call: CallView }
  /** Very many calls changed at a time, and only the newest were sent. The others can be read from `/calls`. */
  | { readonly kind: 'calls-skipped' }
  | { readonly kind: 'waiting'; readonly waiting: WaitingView }
  | { readonly kind: 'answered'; readonly id: string; readonly answer: AnsweredView['answer'] }
  | { readonly kind: 'log'; readonly server: string; readonly line: LogView };
