// What a server has beside tools: resources, templates of resources, prompts, completions and skills,
// as the neutral model and as ports. The same for every era and transport; nothing is kept here.

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
  readonly rejected: readonly RejectedItem[];
  /** Absent where the server says nothing about it, as all legacy ones. */
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

/** What is to be completed: an argument of a prompt, or a variable of a template. */
export interface CompletionRequest {
  readonly of:
    | { readonly kind: 'prompt'; readonly name: string }
    | { readonly kind: 'template'; readonly uriTemplate: string };
  readonly argument: string;
  /** What has been typed of it. */
  readonly typed: string;
  /** The arguments that are settled already. */
  readonly others: Readonly<Record<string, string>>;
}

export interface Completion {
  readonly values: readonly string[];
  /** There are more than were told. */
  readonly hasMore: boolean;
}

/** Reports changes until it is disposed of. */
export interface ResourceWatch extends Disposable {
  /** Whether the server agreed to tell. Never rejects. */
  readonly begun: ProtocolAnswer<void>;
}

export interface ResourcePort {
  list(cursor: string | undefined, options: RequestOptions): ProtocolAnswer<Page<Resource>>;
  templates(
    cursor: string | undefined,
    options: RequestOptions,
  ): ProtocolAnswer<Page<ResourceTemplate>>;
  read(uri: string, options: RequestOptions): ProtocolAnswer<ResourceReading>;
  /** Reports that the resource changed; even after every gap in which that may have been missed. */
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
  /** Of its `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: JsonObject & { readonly name: string; readonly description: string };
  /** `dynamic`: the server does not say beforehand what is in the files. */
  readonly files: readonly SkillFileEntry[] | 'dynamic';
}

export interface SkillFile {
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly bytes: Uint8Array;
  readonly text: string | undefined;
  /** Size and digest are those that the skill was listed with. */
  readonly isVerified: boolean;
}

/** Why a file of a skill is not what the skill was listed with. */
export type SkillMismatch = 'unlisted' | 'size' | 'digest' | 'frontmatter';

export type SkillReading =
  | { readonly kind: 'file'; readonly file: SkillFile }
  | { readonly kind: 'mismatch'; readonly what: SkillMismatch; readonly uri: string };

export interface SkillPort {
  list(cursor: string | undefined, options: RequestOptions): ProtocolAnswer<Page<Skill>>;
  /** One by the address of its `SKILL.md`, listed or not. */
  get(uri: string, options: RequestOptions): ProtocolAnswer<Skill>;
  /** A file of it, by its path below the skill or its address; its `SKILL.md` by default. */
  read(
    skill: Skill,
    file: string | undefined,
    options: RequestOptions,
  ): ProtocolAnswer<SkillReading>;
}

/** What a server says it can do. */
export interface Features {
  readonly resources: boolean;
  readonly subscriptions: boolean;
  readonly prompts: boolean;
  readonly completions: boolean;
  readonly skills: boolean;
  /** The lists of which it tells when they change. */
  readonly announces: ReadonlySet<'tools' | 'prompts' | 'resources'>;
}
