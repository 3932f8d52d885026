// The skills of all servers: lists them, looks them up, and reads their files one by one once the user has approved
// the skill as listed. No file is read before that; content that differs from the approved skill is
// refused; and every file names its server.

import { hash } from 'node:crypto';
import { err, isObject, isUrl, never, ok, type Result } from '@plugboard/base';
import type { Skill, SkillFile, SkillMismatch } from '../protocol/index.ts';
import type { DeniedReading } from './call-permission.ts';
import { type Located, locatedByName } from './located.ts';
import { type ListOf, type ListOptions, type ListProblems, listServers } from './list-servers.ts';
import type { ReadingOptions, ReadingParts } from './reading.ts';
import type { Unanswered } from './unanswered.ts';

export interface SkillReference {
  readonly server: string;
  /** The address of its `SKILL.md`. */
  readonly uri: string;
}

export interface HostSkill extends SkillReference {
  readonly name: string;
  readonly description: string;
  /** As the server states it. Requests in it, such as `allowed-tools`, are never granted. */
  readonly frontmatter: Skill['frontmatter'];
  /** `dynamic`: the server does not list the files beforehand, so they cannot be verified. */
  readonly files: Skill['files'];
  /** Hash of what an approval is bound to: the addresses and digests of the files, and the frontmatter. */
  readonly digest: string;
  /** `changed`: it was approved in another form. */
  readonly approval: 'approved' | 'changed' | 'none';
}

export interface SkillsReport extends ListProblems {
  readonly skills: readonly HostSkill[];
}

export type SkillOutcome = (HostSkill & { readonly kind: 'skill' }) | Unanswered;

export type SkillReadOutcome =
  | (SkillReference & {
      readonly kind: 'result';
      readonly name: string;
      readonly file: SkillFile;
      /** The text for a model, below a line that names its author. */
      readonly forModel: string | undefined;
    })
  | DeniedReading
  /** It must be approved first. Nothing was read. */
  | (SkillReference & { readonly kind: 'not-approved'; readonly approval: 'changed' | 'none' })
  /** The file belongs to another skill, which requires its own approval. */
  | (SkillReference & { readonly kind: 'nested-skill'; readonly nested: string })
  /** The server's content differs from the approved skill, and is not used. */
  | (SkillReference & {
      readonly kind: 'mismatch';
      readonly what: SkillMismatch;
      readonly file: string;
    })
  | Unanswered;

const SKILLS: ListOf<Skill> = {
  feature: 'skills',
  key: 'skills/list',
  nameOf: ({ uri }) => uri,
  page: (session, cursor, options) => session.skills.list(cursor, options),
};

/** `changed`: the skill changed after its approval. */
type Approval =
  | { readonly kind: 'approved'; readonly digest: string; readonly skill: Skill }
  | { readonly kind: 'changed' };

export class Skills {
  readonly #parts: ReadingParts;
  /** The skills as last listed or looked up: only these can be approved. */
  readonly #seen = new Map<string, Skill>();
  readonly #approvals = new Map<string, Approval>();

  constructor(parts: ReadingParts) {
    this.#parts = parts;
  }

  /** All skills that servers list. Connects to the servers, and reads no file. */
  async list(options: ListOptions = {}): Promise<SkillsReport> {
    const { items, ...problems } = await listServers(this.#parts.queries, SKILLS, options);
    return {
      skills: items.map(({ server, item }) => this.#toHostSkill(server, item)),
      ...problems,
    };
  }

  /** The server that has a skill with this name. */
  async locate(name: string, options: ListOptions = {}): Promise<Located> {
    const { skills, problems } = await this.list(options);
    return locatedByName(name, skills, problems);
  }

  /** Looks up a skill by its address, listed or not. Reads no file. */
  async get({ server, uri }: SkillReference, options: ReadingOptions = {}): Promise<SkillOutcome> {
    const got = await this.#parts.queries.run(
      {
        server,
        feature: 'skills',
        pace: 'list',
        send: (session, request) => session.skills.get(uri, request),
      },
      options,
    );
    return got.ok ? { kind: 'skill', ...this.#toHostSkill(server, got.value) } : got.error;
  }

  /**
   * Approves the skill with this digest for the life of this host. A program that keeps the digest can
   * approve it again later: another digest is another skill. Returns whether the skill that was listed last
   * has this digest.
   */
  approve({ server, uri, digest }: SkillReference & { readonly digest: string }): boolean {
    const skill = this.#seen.get(skillKey({ server, uri }));
    if (skill === undefined || digestOf(skill) !== digest) return false;
    this.#approvals.set(skillKey({ server, uri }), { kind: 'approved', digest, skill });
    return true;
  }

  revoke(reference: SkillReference): void {
    this.#approvals.delete(skillKey(reference));
  }

  /** Reads one file of an approved skill: a path below it, or its `SKILL.md`. */
  async read(
    reference: SkillReference,
    { file, signal = never }: ReadingOptions & { readonly file?: string } = {},
  ): Promise<SkillReadOutcome> {
    const { server, uri } = reference;
    const approved = this.#approvedSkill(reference, file);
    if (!approved.ok) return approved.error;
    const denied = await this.#parts.permission.permitRead(reference, signal);
    if (denied !== undefined) return denied;
    const skill = approved.value;
    const read = await this.#parts.queries.run(
      {
        server,
        feature: 'skills',
        pace: 'call',
        send: (session, options) => session.skills.read(skill, file, options),
      },
      { signal },
    );
    if (!read.ok) return read.error;
    if (read.value.kind === 'mismatch') {
      // It is no longer the approved skill.
      if (read.value.what !== 'unlisted') this.#approvals.set(skillKey(reference), CHANGED);
      return { kind: 'mismatch', server, uri, what: read.value.what, file: read.value.uri };
    }
    const { name } = skill.frontmatter;
    const got = read.value.file;
    const forModel = got.text === undefined ? undefined : tagged({ server, name }, got.text);
    return { kind: 'result', server, uri, name, file: got, forModel };
  }

  #approvedSkill(
    reference: SkillReference,
    file: string | undefined,
  ): Result<Skill, SkillReadOutcome> {
    const approval = this.#approvals.get(skillKey(reference));
    const { server, uri } = reference;
    if (approval?.kind !== 'approved') {
      return err({ kind: 'not-approved', server, uri, approval: approval?.kind ?? 'none' });
    }
    const nested = nestedSkill(uri, file);
    return nested === undefined
      ? ok(approval.skill)
      : err({ kind: 'nested-skill', server, uri, nested });
  }

  /** Withdraws the approval if the skill differs from the approved one. */
  #toHostSkill(server: string, skill: Skill): HostSkill {
    const { uri, frontmatter, files } = skill;
    const { name, description } = frontmatter;
    const key = skillKey({ server, uri });
    const digest = digestOf(skill);
    remember(this.#seen, key, skill);
    const approved = this.#approvals.get(key);
    if (approved?.kind === 'approved' && approved.digest !== digest) {
      this.#approvals.set(key, CHANGED);
    }
    const approval = this.#approvals.get(key)?.kind ?? 'none';
    return { server, uri, name, description, frontmatter, files, digest, approval };
  }
}

const CHANGED: Approval = { kind: 'changed' };

/** Limits the memory that an endless list can fill: the oldest skills are dropped first. */
const MAX_SEEN = 10_000;

function remember(seen: Map<string, Skill>, key: string, skill: Skill): void {
  seen.delete(key);
  seen.set(key, skill);
  const [oldest] = seen.keys();
  if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest);
}

/** No server name contains a NUL. */
function skillKey({ server, uri }: SkillReference): string {
  return `${server}\0${uri}`;
}

/** Does not depend on the order of files or fields. */
function digestOf({ uri, frontmatter, files }: Skill): string {
  const set =
    files === 'dynamic'
      ? files
      : files.map((file) => [file.uri, file.digest, file.size]).toSorted(byFirst);
  return `sha256:${hash('sha256', JSON.stringify([uri, ordered(frontmatter), set]), 'hex')}`;
}

function byFirst([a = '']: readonly unknown[], [b = '']: readonly unknown[]): number {
  return String(a) < String(b) ? -1 : 1;
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  return Object.entries(value)
    .toSorted(byFirst)
    .map(([key, field]) => [key, ordered(field)]);
}

function nestedSkill(uri: string, file: string | undefined): string | undefined {
  if (file === undefined || !isUrl(file, uri)) return undefined;
  const { href } = new URL(file, uri);
  return /\/SKILL\.md$/i.test(href) && href !== new URL(uri).href ? href : undefined;
}

function tagged({ server, name }: { server: string; name: string }, text: string): string {
  return [
    `[Skill "${name}" from the MCP server ${JSON.stringify(server)}. Its author is that server, not the user.]`,
    text,
  ].join('\n\n');
}
