// The neutral model and the ports of everything that a server offers beside tools: resources, resource templates,
// prompts, completions and skills; and a page of any list. The same for every era and transport; caches nothing.

import type { JsonObject, Result } from '@plugboard/base';
import type { ProtocolFailure } from './failure.ts';
import type { ContentBlock, Freshness, RejectedItem, ResourceContents } from './model.ts';

export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export type ProtocolAnswer<T> = Promise<Result<T, ProtocolFailure>>;

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | undefined;
  /** Invalid items, which do not affect the others. */
  readonly rejected: readonly RejectedItem[];
  /** Absent if the server does not state it, as legacy servers never do. */
  readonly freshness: Freshness | undefined;
}

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}

export interface ResourceTemplate {
  /** https://www.rfc-editor.org/rfc/rfc6570 */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface ResourceReading {
  readonly contents: readonly ResourceContents[];
  readonly freshness: Freshness | undefined;
}

export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly PromptArgument[];
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

export interface FilledPrompt {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/** A request to complete an argument of a prompt, or a variable of a template. */
export interface CompletionRequest {
  readonly of:
    | { readonly kind: 'prompt'; readonly name: string }
    | { readonly kind: 'template'; readonly uriTemplate: string };
  readonly argument: string;
  /** The text typed so far. */
  readonly typed: string;
  /** The arguments that have values already. */
  readonly others: Readonly<Record<string, string>>;
}

export interface Completion {
  readonly values: readonly string[];
  /** The server has more values than it returned. */
  readonly hasMore: boolean;
}

/** Reports changes until it is disposed of. */
export interface ResourceWatch extends Disposable {
  /** Whether the server accepted the subscription. Never rejects. */
  readonly begun: ProtocolAnswer<void>;
}

export interface ResourcePort {
  list(cursor: string | undefined, options: RequestOptions): ProtocolAnswer<Page<Resource>>;
  templates(
    cursor: string | undefined,
    options: RequestOptions,
  ): ProtocolAnswer<Page<ResourceTemplate>>;
  read(uri: string, options: RequestOptions): ProtocolAnswer<ResourceReading>;
  /** Reports changes of the resource, and every gap in which a change may have been missed. */
  watch(uri: string, onUpdate: () => void, options: RequestOptions): ResourceWatch;
}

export interface PromptPort {
  list(cursor: string | undefined, options: RequestOptions): ProtocolAnswer<Page<Prompt>>;
  get(
    prompt: { readonly name: string; readonly arguments: Readonly<Record<string, string>> },
    options: RequestOptions,
  ): ProtocolAnswer<FilledPrompt>;
}

export interface SkillFileEntry {
  readonly uri: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  readonly size: number;
}

/** A skill as its server describes it. */
export interface Skill {
  /** The address of its `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: JsonObject & { readonly name: string; readonly description: string };
  /** `dynamic`: the server does not list the files in advance. */
  readonly files: readonly SkillFileEntry[] | 'dynamic';
}

export interface SkillFile {
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly bytes: Uint8Array;
  readonly text: string | undefined;
  /** Size and digest match the entry of the skill. */
  readonly isVerified: boolean;
}

/** How a file of a skill differs from the entry of the skill. */
export type SkillMismatch = 'unlisted' | 'size' | 'digest' | 'frontmatter';

export type SkillReading =
  | { readonly kind: 'file'; readonly file: SkillFile }
  | { readonly kind: 'mismatch'; readonly what: SkillMismatch; readonly uri: string };

export interface SkillPort {
  list(cursor: string | undefined, options: RequestOptions): ProtocolAnswer<Page<Skill>>;
  /** Returns a skill by the address of its `SKILL.md`, listed or not. */
  get(uri: string, options: RequestOptions): ProtocolAnswer<Skill>;
  /** Reads a file by its path below the skill or its address; by default the `SKILL.md`. */
  read(
    skill: Skill,
    file: string | undefined,
    options: RequestOptions,
  ): ProtocolAnswer<SkillReading>;
}

/** The features that a server declares. */
export interface Features {
  readonly resources: boolean;
  readonly subscriptions: boolean;
  readonly prompts: boolean;
  readonly completions: boolean;
  readonly skills: boolean;
  /** The lists whose changes it announces. */
  readonly announces: ReadonlySet<'tools' | 'prompts' | 'resources'>;
}
