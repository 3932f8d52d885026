// Parts of the console's API, as plain data: one server with its definitions, its log and what is wrong with it, what tools cost,
// and rules. Text in it that came from a server is hostile. `console-api.ts` says where they are.

import type { JsonObject } from '@plugboard/base';
import type { ScanFinding } from '@plugboard/host';

/** A rule to be made of a call. */
export interface RuleWish {
  readonly effect: 'allow' | 'ask' | 'deny';
  readonly server: string;
  readonly tool: string;
  /** The rule counts for calls with these very arguments; for all, by default. */
  readonly arguments?: JsonObject;
}

/** What would be written, and where. */
export interface RulePreview {
  readonly file: string;
  /** The setting as it would be in a file without other rules. */
  readonly text: string;
}

/** What an approval would be bound to. Values of variables and headers are hidden. */
export interface TrustView {
  /** Sent back with the approval, which counts for this and for nothing else. */
  readonly digest: string;
  /** The folder that it came with. */
  readonly root: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  /** What to look at twice. */
  readonly risks: readonly string[];
}

/** A definition that is kept back: it is not what was accepted, or looks malicious. */
export interface DefinitionView {
  readonly server: string;
  readonly kind: 'tool' | 'prompt' | 'instructions';
  /** Empty for instructions. */
  readonly name: string;
  /** Of the definition as it is now: an acceptance counts for it alone. */
  readonly hash: string;
  readonly reason: 'changed' | 'new' | 'renamed' | 'danger' | 'unreviewed' | 'unreadable-pins';
  /** Of one that changed. */
  readonly acceptedAt: number | undefined;
  /** Of one that was renamed: the name that was accepted. */
  readonly renamedFrom: string | undefined;
  readonly changes: readonly ChangeView[];
  readonly findings: readonly FindingView[];
  /** A person has looked at it and keeps it back. */
  readonly isRefused: boolean;
}

export interface ChangeView {
  readonly kind: 'added' | 'removed' | 'changed';
  /** The way to it, from the outside in. */
  readonly path: readonly string[];
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What the scanner says. */
export interface FindingView {
  readonly check: ScanFinding['check'];
  readonly severity: 'danger' | 'notice';
  readonly path: readonly string[];
  readonly excerpt: string;
}

export interface DefinitionAnswer {
  readonly kind: 'accept' | 'refuse';
  readonly items: readonly Pick<DefinitionView, 'server' | 'kind' | 'name' | 'hash'>[];
}

/** What tools cost a model, and what the planner would do about it. */
export interface ContextView {
  /** Of the model's context, and of the definitions of all tools in it. */
  readonly window: number;
  readonly budget: number;
  /** How tools that are not sent are to be had, and what that costs. */
  readonly mode: 'direct' | 'search' | 'code';
  readonly surfaceTokens: number;
  readonly servers: readonly {
    readonly server: string;
    readonly mode: 'direct' | 'search' | 'code';
    readonly reason: 'always-loaded' | 'cheapest' | 'used-often' | 'over-budget' | 'wanted';
    readonly tools: number;
    readonly tokens: number;
    readonly sent: number;
    readonly sentTokens: number;
  }[];
  /** The most expensive first. */
  readonly tools: readonly {
    readonly server: string;
    readonly tool: string;
    readonly tokens: number;
    readonly isSent: boolean;
    /** How likely it is to be used in a conversation, from 0 to 1. */
    readonly chance: number;
  }[];
}

/** A tool that a search found, and why it stands where it does. */
export interface FoundTool {
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly score: number;
  readonly words: number;
  readonly meaning: number | undefined;
  readonly matched: readonly { readonly word: string; readonly fields: readonly string[] }[];
}

/** What a server has beside tools. */
export interface ServerOffers {
  readonly resources: readonly ResourceView[];
  readonly templates: readonly TemplateView[];
  readonly prompts: readonly PromptView[];
}

interface Described {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
}

export interface ResourceView extends Described {
  readonly uri: string;
  readonly mimeType: string | undefined;
  /** In bytes, as the server says. */
  readonly size: number | undefined;
}

export interface TemplateView extends Described {
  readonly uriTemplate: string;
  readonly mimeType: string | undefined;
}

export interface PromptView extends Described {
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string | undefined;
    readonly isRequired: boolean;
  }[];
}

/** How far the way to a working server goes. */
export interface DoctorReport {
  readonly works: boolean;
  /** Up to the one that failed; later ones were not tried. */
  readonly steps: readonly DoctorStep[];
  /** Reads on after the name of the server. */
  readonly problem: string | undefined;
  /** The command that helps. */
  readonly command: string | undefined;
}

export interface DoctorStep {
  readonly step: string;
  readonly state: 'ok' | 'failed';
  readonly detail: string;
}

export interface LogView {
  readonly at: number;
  readonly source: 'stderr' | 'stdout' | 'log';
  readonly level: string | undefined;
  readonly text: string;
}
