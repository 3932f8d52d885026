// A conversation as a user interface needs it: what to draw, what happens, and what the user may do. The terminal draws
// from this alone; it knows no host, no model and no file.

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
  /** What the first screen says. Known before anything is connected. */
  readonly opening: Opening;
  /** What was said before, in a conversation that is taken up again. */
  readonly earlier: readonly Message[];
  /** What was typed before, in this folder, oldest first. */
  readonly history: readonly string[];
  on(listener: (event: ChatEvent) => void): Disposable;
  /**
   * Takes a line, or several: a message to the model, or a command when it begins with a slash. While a turn runs, a
   * message waits for its end and a command is carried out at once.
   */
  submit(text: string, images?: readonly PastedImage[]): Promise<SubmitResult>;
  /** The same for the line of a row that was chosen from a list: it was not typed, so no history has it. */
  choose(line: string): Promise<SubmitResult>;
  /** What is in the clipboard, for a message. */
  clipboardPicture(): Promise<Result<PastedImage, Notice>>;
  /** Ends the turn that runs, and its calls. */
  cancel(): void;
  /** To the next mode. */
  turnMode(): void;
  answerApproval(id: string, answer: ApprovalAnswer): void;
  answerNotes(id: string, answer: NotesAnswer): void;
  answerQuestion(id: string, answer: ElicitationAnswer): void;
  /** What could be at the cursor: commands and prompts after `/`, files and resources after `@`. */
  complete(text: string, cursor: number, signal: AbortSignal): Promise<Completions>;
  /** All servers, as they are now. */
  servers(): readonly ServerRow[];
  act(server: string, action: ServerAction): Promise<Notice>;
}

export interface Opening {
  readonly version: string;
  readonly folder: string;
  /** `anthropic/claude-…`, or why there is none and what to set. */
  readonly model:
    | { readonly kind: 'chosen'; readonly name: string }
    | { readonly kind: 'none'; readonly ways: readonly ModelWay[]; readonly problem?: string };
  /** Those that are configured. */
  readonly servers: number;
  readonly mode: AgentMode;
  /** Those of the prompt; plain, by default. */
  readonly keys?: PromptKeys;
  /** Those that come with the command. */
  readonly builtIn: number;
  /** Of the configured ones, those that came with the folder and that the user has not trusted. */
  readonly untrusted?: number;
  /** When what is taken up again was last added to. */
  readonly resumedFrom?: string;
  /** What is wrong with the configuration. */
  readonly problems: readonly Notice[];
}

/** `vim`: modal editing. */
export type PromptKeys = 'plain' | 'vim';

/** One way to have a model: what to set, in which words. */
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
  | { readonly kind: 'approval'; readonly approval: AskedApproval }
  /** It was answered, or the answer is no longer needed. */
  | { readonly kind: 'approval-closed'; readonly id: string }
  | { readonly kind: 'notes'; readonly notes: AskedNotes }
  | { readonly kind: 'notes-closed'; readonly id: string }
  | { readonly kind: 'question'; readonly id: string; readonly request: ElicitationRequest }
  | { readonly kind: 'question-closed'; readonly id: string }
  | { readonly kind: 'servers'; readonly servers: readonly ServerRow[] }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'waiting'; readonly messages: readonly string[] }
  | { readonly kind: 'model'; readonly name: string }
  /** What a command that runs is doing. */
  | { readonly kind: 'command-progress'; readonly text: string }
  | { readonly kind: 'mode'; readonly mode: AgentMode }
  /** How many commands run in the background. */
  | { readonly kind: 'jobs'; readonly running: number }
  /** Another conversation, or this one at another point, has taken the place of what was shown. */
  | { readonly kind: 'conversation'; readonly conversation: ShownConversation };

export interface ShownConversation {
  readonly messages: readonly Message[];
  /** When what is resumed was last added to. */
  readonly resumedFrom?: string | undefined;
  /** A message that was taken back, to be edited and sent again. */
  readonly draft?: string | undefined;
}

export interface AskedApproval {
  readonly id: string;
  /** The id of the call in the agent's events. */
  readonly callId?: string;
  readonly server: string;
  readonly tool: string;
  readonly asker: string;
  /** The script that makes the call. */
  readonly script?: CallScript;
  readonly arguments: JsonObject;
  /** In place of a call: what an agent in plan mode wants to do, in Markdown. */
  readonly plan?: string;
  /** Why it is asked, in one line. */
  readonly why: string;
  readonly offers: readonly Remember[];
  /** What a yes for longer is kept as, the narrowest rule first, and where. */
  readonly kept?: { readonly rules: readonly WrittenPermissionRule[]; readonly file: string };
  /** What it would change, where that can be told beforehand. */
  readonly preview?: ChangePreview;
  /** Why it is asked although a rule allows it: what was read before. */
  readonly flow?: FlowConcern;
  /** Pieces of the arguments that were taken from what was read. */
  readonly taken?: readonly TakenText[];
}

/** Instructions that came with the folder, and that the user has not approved in their present form. */
export interface AskedNotes {
  readonly id: string;
  /** From the project's top folder: `AGENTS.md`. */
  readonly name: string;
  /** What was found in them, and what was taken out: one line each, fit to be shown. */
  readonly warnings: readonly string[];
  /** When something else was approved, and what is different. */
  readonly since?: string;
  /** As the model would read them. */
  readonly lines: readonly { readonly text: string; readonly isNew: boolean }[];
}

/** `no` is kept, `later` is not. */
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

export type SubmitResult =
  | { readonly kind: 'taken' }
  | { readonly kind: 'shown'; readonly text: string }
  /** It is sent to the model in the person's name. */
  | {
      readonly kind: 'message';
      readonly text: string;
      /** Rules for calls that run without a question in this turn. */
      readonly allows?: readonly string[];
    }
  | { readonly kind: 'panel'; readonly panel: 'mcp' | 'help' }
  /** The prompt gets the other keys. */
  | { readonly kind: 'other-keys' }
  | { readonly kind: 'pick'; readonly picker: Picker }
  /** What is different in files. */
  | { readonly kind: 'changes'; readonly changes: readonly ChangePreview[] }
  /** This program, such as an editor, is to have the terminal; the next line is carried out afterwards. */
  | {
      readonly kind: 'program';
      readonly command: string;
      readonly args: readonly string[];
      readonly next: string;
    }
  /** This text is to go to the clipboard. */
  | { readonly kind: 'copy'; readonly text: string; readonly said: string }
  | { readonly kind: 'problem'; readonly message: string; readonly fix?: string | undefined }
  | { readonly kind: 'quit' };

/** Something to choose from. To choose a row is to submit its line. */
export interface Picker {
  readonly title: string;
  readonly rows: readonly PickerRow[];
  /** What is shown where there is nothing to choose from. */
  readonly empty: string;
  /** What there is to know about the choice. */
  readonly note?: string;
  /** What the choice is about, where it is long: it is shown above, and stays. */
  readonly text?: string;
}

export interface PickerRow {
  readonly label: string;
  /** Stands at the right. */
  readonly detail: string;
  readonly line: string;
  readonly isCurrent?: boolean;
}

export interface Completions {
  /** What of the text is replaced: from `start` to the cursor. */
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
