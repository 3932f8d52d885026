// Parts of the console's API, as plain data: the definitions, log and diagnosis of one server, the cost of tools, and
// rules. Text that came from a server is hostile. `console-api.ts` lists the paths.

import type { JsonObject } from '@plugboard/base';
import type { ScanFinding } from '@plugboard/host';

/** A rule that a person wants to make of a call. */
export interface RuleWish {
  readonly effect: 'allow' | 'ask' | 'deny';
  readonly server: string;
  readonly tool: string;
  /** Restricts the rule to calls with exactly these arguments. */
  readonly arguments?: JsonObject;
}

/** The text that would be written, and its file. */
export interface RulePreview {
  readonly file: string;
  /** The setting, as in a file without other rules. */
  readonly text: string;
}

/** The subject of an approval. The values of variables and headers are hidden. */
export interface TrustView {
  /** Sent back with the approval, which is bound to this subject. */
  readonly digest: string;
  /** The folder that the server came with. */
  readonly root: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  /** Warnings for the person who decides. */
  readonly risks: readonly string[];
}

/** A definition that is kept back because it differs from the accepted one or looks malicious. */
export interface DefinitionView {
  readonly server: string;
  readonly kind: 'tool' | 'instructions';
  /** Empty for instructions. */
  readonly name: string;
  /** The hash of the current definition; an acceptance is bound to it. */
  readonly hash: string;
  readonly reason: 'changed' | 'new' | 'renamed' | 'danger' | 'unreviewed' | 'unreadable-pins';
  /** Only for a changed definition. */
  readonly acceptedAt: number | undefined;
  /** Only for a renamed definition: the accepted name. */
  readonly renamedFrom: string | undefined;
  readonly changes: readonly ChangeView[];
  readonly findings: readonly FindingView[];
  /** A person has refused it. */
  readonly isRefused: boolean;
}

export interface ChangeView {
  readonly kind: 'added' | 'removed' | 'changed';
  /** The path to the change, outermost key first. */
  readonly path: readonly string[];
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A finding of the scanner. */
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

/** The tokens that tools cost a model, and the plan for sending them. */
export interface ContextView {
  /** Tokens of the model's context window, and how many of them definitions of tools may take. */
  readonly window: number;
  readonly budget: number;
  /** How the model reaches tools that are not sent, and the tokens for that. */
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
  /** Most expensive first. */
  readonly tools: readonly {
    readonly server: string;
    readonly tool: string;
    readonly tokens: number;
    readonly isSent: boolean;
    /** The probability of use in a conversation. */
    readonly chance: number;
  }[];
}

/** A result of the tool search, with the parts of its score. */
export interface FoundTool {
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly score: number;
  readonly words: number;
  readonly meaning: number | undefined;
  readonly matched: readonly { readonly word: string; readonly fields: readonly string[] }[];
}

/** What a server offers besides tools. */
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
}

export interface TemplateView extends Described {
  readonly uriTemplate: string;
}

export interface PromptView extends Described {
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string | undefined;
    readonly isRequired: boolean;
  }[];
}

/** The steps of connecting to a server. */
export interface DoctorReport {
  readonly works: boolean;
  /** Ends with the step that failed; later steps were not tried. */
  readonly steps: readonly DoctorStep[];
  /** Continues a sentence that begins with the name of the server. */
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
