// What the console's page and the gateway say to each other over HTTP, as plain data. Types alone: the page loads no
// code of the gateway. `plugboard status` and `plugboard approvals` read the same.
//
// All of it is below `/console/api`, as JSON. Text in it that came from a server is hostile, and shown as text. A program
// comes with `Authorization: Bearer TOKEN`, a page with the cookie that it gets for the token in its address, by
// `POST /console/session` with a SessionRequest, which answers ConsoleState; `POST /console/session/end` ends it. Every POST has the header `X-Plugboard-Console: 1`. What is refused is
// answered with a ConsoleProblem.
//
//   GET  /state                       ConsoleState: what is there now, and the cursor of the feed
//   GET  /events?after=CURSOR         the feed: server-sent events, each a ConsoleEvent whose id is its cursor
//   GET  /calls?before=ID&limit=N     readonly CallView[]: what is recorded, newest first
//   GET  /calls/ID                    CallDetail
//   GET  /checks                      SavedCallsView; of an administrator
//   POST /checks                      a saved call, as it stands in the file; answers SavedCallsView
//   POST /checks/run                  { name }: runs a saved call, and compares; answers CheckOutcome
//   POST /checks/remove               { name }: takes it out of the file; answers SavedCallsView
//   GET  /recording?before=ID&limit=N readonly CallDetail[]: the same as /calls, with their messages
//   GET  /calls/search?text=TEXT      readonly string[]: ids of calls with this text in a message, newest first
//   POST /waiting/ID                  WaitingAnswer: answers what waits for a person
//   GET  /answered                    readonly AnsweredView[]: what was answered, newest first
//   POST /rules/preview               RuleWish: answers RulePreview, and writes nothing
//   POST /rules                       RuleWish: writes the rule; of an administrator
//   GET  /servers/NAME                ServerDetail
//   GET  /servers/NAME/offers         ServerOffers: its resources and prompts; connects to it
//   POST /servers/NAME                ServerAction
//   POST /servers/NAME/doctor         DoctorReport: connects anew, and says which step fails
//   GET  /definitions                 readonly DefinitionView[]: what is kept back
//   POST /definitions                 DefinitionAnswer: accepts or refuses; of an administrator
//   GET  /context?window=TOKENS       ContextView
//   GET  /search?query=TEXT           readonly FoundTool[]: what the tool search of models finds, best first
//   POST /launch                      Launch: an address that opens the page once; of an administrator
//   POST /run                         RunRequest: calls a tool, reads a resource or gets a prompt; answers RunOutcome

import type { Json, JsonObject } from '@plugboard/base';
import type { Era } from '@plugboard/host/relay';
import type { LogView, TrustView } from './console-parts.ts';

export type * from './console-parts.ts';

/** Milliseconds since 1970. */
export type Time = number;

/** `token` is that of the page's address, which counts once. */
export interface SessionRequest {
  readonly token: string;
}

export interface Launch {
  /** With a token in its fragment. */
  readonly url: string;
}

export interface ConsoleProblem {
  readonly error: string;
}

export interface ConsoleState {
  /** What the feed sends after it is not in here yet. */
  readonly cursor: number;
  readonly gateway: GatewayView;
  readonly servers: readonly ServerView[];
  readonly clients: readonly ClientView[];
  readonly waiting: readonly WaitingView[];
  readonly traffic: TrafficView;
}

export interface GatewayView {
  readonly version: string;
  readonly pid: number;
  readonly since: Time;
  /** Of `/mcp`. */
  readonly url: string | undefined;
  /** The origin at which MCP Apps are shown. */
  readonly apps: string | undefined;
  readonly profiles: readonly string[];
  /** Whose token the reader came with, and whether everything is shown to them or only what is theirs. */
  readonly principal: string;
  readonly isAdministrator: boolean;
}

export interface TrafficView {
  /** Since the start. */
  readonly requests: number;
  readonly failed: number;
  readonly running: number;
  /** Recorded, and still there to be looked at. */
  readonly recorded: number;
}

/** A server, in few words. */
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
    /** Lost, and reached again soon. */
    | 'waiting'
    | 'failed'
    /** Came with a folder or a plugin, and is not approved. */
    | 'untrusted'
    | 'blocked'
    | 'disabled';
  /** Why it is not ready, for people; and the command that helps. */
  readonly problem: string | undefined;
  readonly command: string | undefined;
  readonly era: Era | undefined;
  readonly protocolVersion: string | undefined;
  /** Known tools, and what their definitions cost a model. */
  readonly tools: number;
  readonly tokens: number;
  /** Definitions that changed or look malicious, and are kept back. */
  readonly quarantined: number;
  readonly calls: number;
  readonly failed: number;
  /** The last calls, oldest first: how long each took, `null` where it failed. */
  readonly latencies: readonly (number | null)[];
}

export interface ClientView {
  readonly id: string;
  /** As it calls itself. */
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

/** What waits for a person: an approval of a call, or a question of a server that no client can show. */
export type WaitingView = ApprovalView | QuestionView;

interface Waiting {
  readonly id: string;
  readonly at: Time;
  /** What is not answered by then is denied or declined. */
  readonly until: Time;
  readonly server: string;
  /** As the client calls itself. */
  readonly client: string;
  /** The call that it belongs to, where it is recorded. */
  readonly call: string | undefined;
}

export interface ApprovalView extends Waiting {
  readonly kind: 'approval';
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly script: { readonly name: string; readonly code: string } | undefined;
  /** For how long a yes may count. */
  readonly offers: readonly ('once' | 'script' | 'session' | 'always')[];
  /** Why it is asked: the rule, or that there is none. */
  readonly reason: string;
}

export interface QuestionView extends Waiting {
  readonly kind: 'form' | 'page';
  readonly message: string;
  /** Of a form: JSON Schema, as the protocol has it. */
  readonly schema: JsonObject | undefined;
  /** Of a page. */
  readonly url: string | undefined;
  /** What to look at twice: a form that asks for a secret, a page whose host may be another than it seems. */
  readonly warnings: readonly ('asks-secret' | 'punycode' | 'ip-address' | 'this-machine')[];
}

/** What became of something that waited. */
export interface AnsweredView {
  readonly waiting: WaitingView;
  /** `gone`: no person answered in time, or the call was given up. */
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

/** A request of a client, in few words. */
export interface CallView {
  readonly id: string;
  readonly at: Time;
  /** How long it took, once it has ended. */
  readonly ms: number | undefined;
  readonly client: string;
  readonly clientName: string;
  readonly clientEra: Era;
  readonly method: string;
  /** The tool, prompt or URI that it is about, by the server's own name. */
  readonly subject: string | undefined;
  /** None if the gateway answered by itself. */
  readonly server: string | undefined;
  readonly serverEra: Era | undefined;
  readonly state: CallState;
  /** Of what failed, for people. */
  readonly problem: string | undefined;
  /** Of all its messages. */
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
  /** Fewer than `messages` where there were too many to keep. */
  readonly trace: readonly MessageView[];
}

/** The calls that `plugboard check` runs, as they stand in the file. */
export interface SavedCallsView {
  /** `undefined` if none can be saved. */
  readonly file: string | undefined;
  readonly checks: readonly JsonObject[];
}

/** What a saved call came to, compared with what is expected as `plugboard check` compares. */
export interface CheckOutcome extends Omit<RunOutcome, 'result'> {
  /** What is not as expected, in words; nothing if it passed. */
  readonly deviations: readonly string[];
}

export interface DecisionView {
  readonly kind: 'allow' | 'deny' | 'ask';
  /** As in a file of rules, and where it is written. */
  readonly rule: string | undefined;
  readonly source: string | undefined;
  readonly reason: string;
  /** What became of a decision to ask. */
  readonly answer: 'allowed' | 'denied' | 'unanswered' | 'allowed-before' | undefined;
}

export interface HookView {
  /** Where it is written. */
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
  /** Which one, behind the gateway. */
  readonly server: string | undefined;
  readonly era: Era;
  readonly kind: 'request' | 'notification' | 'result' | 'error';
  readonly method: string | undefined;
  readonly rpcId: string | number | undefined;
  readonly bytes: number;
  /** Of HTTP, with credentials hidden. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** With secrets hidden. A body that was too large to keep is cut, and is no JSON then. */
  readonly body: string;
  readonly isCut: boolean;
}

export interface ServerDetail extends ServerView {
  readonly instructions: string | undefined;
  readonly toolList: readonly ToolView[];
  readonly log: readonly LogView[];
  /** Of a server that waits for approval: what would start. */
  readonly trust: TrustView | undefined;
  /** Where a person is signed in at it. Of an administrator. */
  readonly signedIn: SignedInView | undefined;
}

export interface SignedInView {
  readonly account: string;
  /** The authorization server that knows it. */
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
  /** What a call would be: allowed, denied, or asked about. */
  readonly decision: DecisionView;
  /** The address of the MCP App that shows what it does. */
  readonly app: string | undefined;
}

/** Of an administrator. A sign-in is answered once it is over; its page waits for the person meanwhile. */
export type ServerAction =
  | { readonly kind: 'connect' | 'restart' | 'enable' | 'disable' | 'sign-in' | 'sign-out' }
  /** As it was shown. */
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
  /** The call that was recorded. */
  readonly call: string;
  readonly state: CallState;
  readonly ms: number;
  /** As the server sent it, with secrets hidden. */
  readonly result: JsonObject | undefined;
  readonly problem: string | undefined;
}

/** One step of the feed. What is not kept any more is not repeated: a reader that was away too long gets `reset`. */
export type ConsoleEvent =
  | { readonly kind: 'reset' }
  | { readonly kind: 'server'; readonly server: ServerView }
  | { readonly kind: 'server-gone'; readonly name: string }
  | { readonly kind: 'client'; readonly client: ClientView }
  | { readonly kind: 'client-gone'; readonly id: string }
  /** Began, or is not what it was. Of very many at a time only the newest are told, and `traffic` says so. */
  | { readonly kind: 'call'; readonly call: CallView }
  /** `skipped`: how many calls changed of which nothing is told. They can be read from `/calls`. */
  | { readonly kind: 'traffic'; readonly traffic: TrafficView; readonly skipped: number }
  | { readonly kind: 'waiting'; readonly waiting: WaitingView }
  | { readonly kind: 'answered'; readonly id: string; readonly answer: AnsweredView['answer'] }
  | { readonly kind: 'log'; readonly server: string; readonly line: LogView };
