// The skills of all servers: listed, looked up, and their files read one by one, once the user has approved
// the skill as it is listed. Nothing is read beforehand; content that differs from the approved entry is
// refused; and every file names its server.

import { createHash } from 'node:crypto';
import { err, isObject, isUrl, never, ok, type Result, shared } from '@plugboard/base';
import type { Skill, SkillFile, SkillMismatch } from '../protocol/index.ts';
import { type Located, locatedByName } from './located.ts';
import { type ListOf, type ListOptions, type ListProblems, listServers } from './list-servers.ts';
import { deniedReading, type DeniedReading, type ReadingParts } from './reading.ts';
import type { Unanswered } from './unanswered.ts';

export interface SkillReference {
  readonly server: string;
  /** Of its `SKILL.md`. */
  readonly uri: string;
}

export interface HostSkill extends SkillReference {
  readonly name: string;
  readonly description: string;
  /** As the server states it; requests in it, such as `allowed-tools`, are never granted. */
  readonly frontmatter: Skill['frontmatter'];
  /** `dynamic`: the server does not say beforehand what is in the files, so they cannot be verified. */
  readonly files: Skill['files'];
  /** Of all that an approval is bound to: the addresses and digests of the files, and the frontmatter. */
  readonly digest: string;
  /** `changed`: it was approved as something else. */
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
      /** The text for a model, under a line that says whose it is. */
      readonly forModel: string | undefined;
    })
  | DeniedReading
  /** Approve it first. Nothing was read. */
  | (SkillReference & { readonly kind: 'not-approved'; readonly approval: 'changed' | 'none' })
  /** A skill of its own lies there, which wants its own approval. */
  | (SkillReference & { readonly kind: 'nested-skill'; readonly nested: string })
  /** What the server gave is not what was approved, and is not used. */
  | (SkillReference & {
      readonly kind: 'mismatch';
      readonly what: SkillMismatch;
      readonly file: string;
    })
  | Unanswered;

type SkillParts = Pick<ReadingParts, 'asking' | 'permission'>;

interface Settings {
  readonly signal?: AbortSignal;
}

const SKILLS: ListOf<Skill> = {
  feature: 'skills',
  key: 'skills/list',
  isTold: () => false,
  nameOf: ({ uri }) => uri,
  page: (session, cursor, options) => session.skills.list(cursor, options),
};

export class Skills {
  readonly #parts: SkillParts;
  /** What was listed or looked up last: only that can be approved. */
  readonly #seen = new Map<string, Skill>();
  readonly #approved = new Map<string, { readonly digest: string; readonly skill: Skill }>();
  /** Approved once, and listed otherwise since. */
  readonly #changed = new Set<string>();

  constructor(parts: SkillParts) {
    this.#parts = parts;
  }

  /** All that servers list. Connects to them, and reads no file. */
  async list(options: ListOptions = {}): Promise<SkillsReport> {
    const { items, ...problems } = await listServers(this.#parts.asking, SKILLS, options);
    return { skills: items.map(({ server, item }) => this.#noticed(server, item)), ...problems };
  }

  /** Which server has a skill of this name. */
  async locate(name: string, options: ListOptions = {}): Promise<Located> {
    const { skills, problems } = await this.list(options);
    return locatedByName(name, skills, problems);
  }

  /** One by its address, listed or not. Reads no file. */
  async get(
    { server, uri }: SkillReference,
    { signal = never }: Settings = {},
  ): Promise<SkillOutcome> {
    const got = await this.#parts.asking.ask(
      {
        server,
        feature: 'skills',
        pace: 'list',
        ask: (session, options) => session.skills.get(uri, options),
      },
      { signal: shared(signal) },
    );
    return got.ok ? { kind: 'skill', ...this.#noticed(server, got.value) } : got.error;
  }

  /**
   * Approves the skill with this digest for the life of this host. A program that keeps the digest can
   * approve it again later: another digest is another skill. Returns whether the skill that was listed last
   * has this digest.
   */
  approve({ server, uri, digest }: SkillReference & { readonly digest: string }): boolean {
    const skill = this.#seen.get(skillKey({ server, uri }));
    if (skill === undefined || digestOf(skill) !== digest) return false;
    this.#approved.set(skillKey({ server, uri }), { digest, skill });
    this.#changed.delete(skillKey({ server, uri }));
    return true;
  }

  revoke(reference: SkillReference): void {
    this.#approved.delete(skillKey(reference));
    this.#changed.delete(skillKey(reference));
  }

  /** Reads one file of an approved skill: a path below it, or its `SKILL.md`. */
  async read(
    reference: SkillReference,
    { file, signal = never }: Settings & { readonly file?: string } = {},
  ): Promise<SkillReadOutcome> {
    const { server, uri } = reference;
    const approved = this.#approvedSkill(reference, file);
    if (!approved.ok) return approved.error;
    const denied = await deniedReading(this.#parts, { server, uri }, signal);
    if (denied !== undefined) return denied;
    const skill = approved.value;
    const read = await this.#parts.asking.ask(
      {
        server,
        feature: 'skills',
        pace: 'call',
        ask: (session, options) => session.skills.read(skill, file, options),
      },
      { signal: shared(signal) },
    );
    if (!read.ok) return read.error;
    if (read.value.kind === 'mismatch') {
      // It is not the skill any more that was approved.
      if (read.value.what !== 'unlisted') this.#unapprove(skillKey(reference));
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
    const approved = this.#approved.get(skillKey(reference));
    const { server, uri } = reference;
    if (approved === undefined) {
      return err({ kind: 'not-approved', server, uri, approval: this.#wasApproved(reference) });
    }
    const nested = nestedSkill(uri, file);
    return nested === undefined
      ? ok(approved.skill)
      : err({ kind: 'nested-skill', server, uri, nested });
  }

  #wasApproved(reference: SkillReference): 'changed' | 'none' {
    return this.#changed.has(skillKey(reference)) ? 'changed' : 'none';
  }

  #unapprove(key: string): void {
    this.#approved.delete(key);
    this.#changed.add(key);
  }

  /** A skill that is listed otherwise than it was approved is approved no more. */
  #noticed(server: string, skill: Skill): HostSkill {
    const { uri, frontmatter, files } = skill;
    const { name, description } = frontmatter;
    const key = skillKey({ server, uri });
    const digest = digestOf(skill);
    remember(this.#seen, key, skill);
    const approved = this.#approved.get(key);
    if (approved !== undefined && approved.digest !== digest) {
      this.#unapprove(key);
    }
    const approval = this.#approved.has(key) ? 'approved' : this.#wasApproved({ server, uri });
    return { server, uri, name, description, frontmatter, files, digest, approval };
  }
}

/** A server that lists without end fills no memory: what was seen first is forgotten first. */
const MAX_SEEN = 10_000;

function remember(seen: Map<string, Skill>, key: string, skill: Skill): void {
  seen.delete(key);
  seen.set(key, skill);
  const [oldest] = seen.keys();
  if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest);
}

/** No name of a server holds a NUL. */
function skillKey({ server, uri }: SkillReference): string {
  return `${server}\0${uri}`;
}

/** The order in which a server names files or fields decides nothing. */
function digestOf({ uri, frontmatter, files }: Skill): string {
  const set =
    files === 'dynamic'
      ? files
      : files.map((file) => [file.uri, file.digest, file.size]).toSorted(byFirst);
  return `sha256:${createHash('sha256')
    .update(JSON.stringify([uri, ordered(frontmatter), set]))
    .digest('hex')}`;
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
