// The interface between a conversation and its user interface: what to draw, what happens, and what the user can do. The
// terminal uses nothing else: no host, no model and no files.

import type { JsonObject, Result } from '@plugboard/base';
import type { AgentEvent, AgentMode, Message } from '@plugboard/agent';
import type {
  CallScript,
  ElicitationAnswer,
  ElicitationRequest,
  FlowConcern,
  Remember,
  TakenText,
  WrittenPermissionRule,
} from '@plugboard/host';

export interface Chat extends AsyncDisposable {
  /** The content of the first screen, known before anything is connected. */
  readonly opening: Opening;
  /** The messages of a resumed conversation. */
  readonly earlier: readonly Message[];
  /** The lines typed in this folder before, oldest first. */
  readonly history: readonly string[];
  on(listener: (event: ChatEvent) => void): Disposable;
  /**
   * Submits one or more lines: a command if they begin with a slash, or else a message to the model. While a turn runs,
   * messages are queued and commands run at once.
   */
  submit(text: string, images?: readonly PastedImage[]): Promise<SubmitResult>;
  /** Submits the line of a chosen list row, which is not added to the history. */
  choose(line: string): Promise<SubmitResult>;
  /** Reads the picture in the clipboard. */
  clipboardPicture(): Promise<Result<PastedImage, Notice>>;
  /** Stops the running turn with its calls, and all running commands. */
  cancel(): void;
  /** Switches to the next mode. */
  turnMode(): void;
  answer(answer: ChatAnswer): void;
  /** Completions at the cursor: commands and prompts after `/`, files and resources after `@`. */
  complete(text: string, cursor: number, signal: AbortSignal): Promise<Completions>;
  /** The current state of all servers. */
  servers(): readonly ServerRow[];
  act(server: string, action: ServerAction): Promise<Notice>;
}

export interface Opening {
  readonly version: string;
  readonly folder: string;
  /** `anthropic/claude-…`; without a model, the reason and what to set. */
  readonly model:
    | { readonly kind: 'chosen'; readonly name: string }
    | { readonly kind: 'none'; readonly ways: readonly ModelWay[]; readonly problem?: string };
  /** The number of configured servers. */
  readonly servers: number;
  readonly mode: AgentMode;
  /** The key bindings of the prompt; plain by default. */
  readonly keys?: PromptKeys;
  /** The number of built-in servers. */
  readonly builtIn: number;
  /** The number of configured servers that came with the folder and are not trusted. */
  readonly untrusted?: number;
  /** When the resumed conversation was last changed. */
  readonly resumedFrom?: string;
  /** Problems of the configuration. */
  readonly problems: readonly Notice[];
}

/** `vim`: modal editing. */
export type PromptKeys = 'plain' | 'vim';

/** A way to get a model: the provider, and what to set for it. */
export interface ModelWay {
  readonly provider: string;
  readonly set: string;
}

export interface PastedImage {
  readonly mediaType: string;
  readonly data: string;
}

export type ChatEvent =
  | { readonly kind: 'agent'; readonly event: AgentEvent }
  | { readonly kind: 'approval'; readonly approval: PendingApproval }
  | { readonly kind: 'notes'; readonly notes: PendingNotes }
  | { readonly kind: 'question'; readonly id: string; readonly request: ElicitationRequest }
  /** The user has answered one of these, or the answer is no longer needed. */
  | { readonly kind: 'closed'; readonly id: string }
  | { readonly kind: 'servers'; readonly servers: readonly ServerRow[] }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'waiting'; readonly messages: readonly string[] }
  | { readonly kind: 'model'; readonly name: string }
  /** What the running command is doing. */
  | { readonly kind: 'command-progress'; readonly text: string }
  | { readonly kind: 'mode'; readonly mode: AgentMode }
  /** The number of commands that run in the background. */
  | { readonly kind: 'jobs'; readonly running: number }
  /** Replaces what is shown by another conversation, or by another point of this one. */
  | { readonly kind: 'conversation'; readonly conversation: ShownConversation };

export interface ShownConversation {
  readonly messages: readonly Message[];
  /** When the resumed conversation was last changed. */
  readonly resumedFrom?: string | undefined;
  /** The message that the user went back to, to edit and send it again. */
  readonly draft?: string | undefined;
}

export interface PendingApproval {
  readonly id: string;
  /** The id of the call in the agent's events. */
  readonly callId?: string;
  readonly server: string;
  readonly tool: string;
  readonly asker: string;
  /** The script that makes the call. */
  readonly script?: CallScript;
  readonly arguments: JsonObject;
  /** Instead of a call: the plan of an agent in plan mode, in Markdown. */
  readonly plan?: string;
  /** Why approval is needed, in one line. */
  readonly why: string;
  readonly offers: readonly Remember[];
  /** The rules that approval for longer can be stored as, the narrowest first, and in which file. */
  readonly kept?: { readonly rules: readonly WrittenPermissionRule[]; readonly file: string };
  /** What the call would change, if that is known in advance. */
  readonly preview?: ChangePreview;
  /** What was read before, for which approval is needed although a rule allows the call. */
  readonly flow?: FlowConcern;
  /** Pieces of the arguments that were copied from what was read. */
  readonly taken?: readonly TakenText[];
}

/** Instructions of the folder whose current text the user has not approved. */
export interface PendingNotes {
  readonly id: string;
  /** The path relative to the top folder of the project, such as `AGENTS.md`. */
  readonly name: string;
  /** Findings, and what was removed: one line each, safe to show. */
  readonly warnings: readonly string[];
  /** When another text was approved, and what is different now. */
  readonly since?: string;
  /** The text as the model would get it. */
  readonly lines: readonly { readonly text: string; readonly isNew: boolean }[];
}

/** `no` is stored, `later` is not. */
export type NotesAnswer = 'yes' | 'no' | 'later';

/** A file before and after. */
export interface ChangePreview {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export type ApprovalAnswer =
  | {
      readonly kind: 'allow';
      readonly remember: Remember;
      readonly rule?: WrittenPermissionRule;
      readonly arguments?: JsonObject;
    }
  | { readonly kind: 'deny'; readonly reason: string };

/** The user's answer to what the event of the same kind asked. */
export type ChatAnswer =
  | { readonly kind: 'approval'; readonly id: string; readonly answer: ApprovalAnswer }
  | { readonly kind: 'notes'; readonly id: string; readonly answer: NotesAnswer }
  | { readonly kind: 'question'; readonly id: string; readonly answer: ElicitationAnswer };

export type SubmitResult =
  | { readonly kind: 'taken' }
  | { readonly kind: 'shown'; readonly text: string }
  | { readonly kind: 'panel'; readonly panel: 'mcp' | 'help' }
  /** Switches the prompt between plain and vi keys. */
  | { readonly kind: 'other-keys' }
  | { readonly kind: 'pick'; readonly picker: Picker }
  /** Changes of files. */
  | { readonly kind: 'changes'; readonly changes: readonly ChangePreview[] }
  /** Gives the terminal to a program, such as an editor, and submits the `next` line afterwards. */
  | {
      readonly kind: 'program';
      readonly command: string;
      readonly args: readonly string[];
      readonly next: string;
    }
  /** Copies the text to the clipboard. */
  | { readonly kind: 'copy'; readonly text: string; readonly said: string }
  | { readonly kind: 'problem'; readonly message: string; readonly fix?: string | undefined }
  | { readonly kind: 'quit' };

/** A list to choose from. Choosing a row submits its line. */
export interface Picker {
  readonly title: string;
  readonly rows: readonly PickerRow[];
  /** Shown instead of an empty list. */
  readonly empty: string;
  /** A remark about the choice. */
  readonly note?: string;
  /** A long text that the choice is about. It is printed above and stays. */
  readonly text?: string;
}

export interface PickerRow {
  readonly label: string;
  /** Shown at the right. */
  readonly detail: string;
  readonly line: string;
  readonly isCurrent?: boolean;
}

export interface Completions {
  /** A choice replaces the text from here to the cursor. */
  readonly start: number;
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly text: string;
  readonly label: string;
  readonly detail?: string;
}

export interface ServerRow {
  readonly name: string;
  readonly state:
    | 'idle'
    | 'connecting'
    | 'ready'
    | 'failed'
    | 'needs-sign-in'
    | 'disabled'
    | 'blocked';
  readonly detail?: string;
  readonly tools: number;
  readonly source: string;
  readonly actions: readonly ServerAction[];
}

export type ServerAction = 'reconnect' | 'login' | 'logout' | 'enable' | 'disable';

export interface Notice {
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  readonly fix?: string | undefined;
}
