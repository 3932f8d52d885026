// The port for a server's skills over one client. Entries of a list are checked here. The SDK, which is loaded for this,
// reads a file and compares its size, digest and frontmatter with its entry. Only requested files are read.
// https://modelcontextprotocol.io/seps/2640-skills-extension

import { err, isObject, type JsonObject, ok, type Result } from '@plugboard/base';
import { checkedBy, page, type Wire } from './client-primitives.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type {
  RequestOptions,
  Skill,
  SkillFileEntry,
  SkillPort,
  SkillReading,
} from './neutral/primitives.ts';
import { pageReader, problemOfUri } from './read-primitives.ts';
import type { SessionClient } from './session-client.ts';

export interface SkillWire extends Wire {
  readonly client: SessionClient;
  failureOf(thrown: unknown, options: RequestOptions): ProtocolFailure;
}

/** https://agentskills.io/specification */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME_LENGTH = 64;
const MAX_DESCRIPTION_LENGTH = 1024;
const MAX_FILES = 512;
const MAX_SKILL_BYTES = 16 * 1024 * 1024;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

export function skillPort(wire: SkillWire): SkillPort {
  const isOffered = (): boolean => wire.features().skills;
  return {
    list: (cursor, options) =>
      page(wire, { method: 'skills/list', read: readSkillPage, isOffered, cursor }, options),
    async get(uri, options) {
      const response = await wire.request('skills/get', { uri }, options);
      const skill = checkedBy(readGetResult, response);
      if (!skill.ok || skill.value.uri === uri) return skill;
      return err({ kind: 'invalid-result', detail: 'it is another skill than the one asked for' });
    },
    read: (skill, file, options) => readFile(wire, { skill, file }, options),
  };
}

async function readFile(
  wire: SkillWire,
  { skill, file }: { readonly skill: Skill; readonly file: string | undefined },
  options: RequestOptions,
): Promise<Result<SkillReading, ProtocolFailure>> {
  const { SkillsClient, SkillVerificationError } =
    await import('@modelcontextprotocol/client/ext/skills');
  const { uri, frontmatter, files } = skill;
  const entry = { uri, frontmatter: { ...frontmatter }, resources: filesOnWire(files) };
  const { sdkClientOver } = await import('./sdk-over-client.ts');
  const { signal, timeoutMs: timeout } = options;
  const over = await sdkClientOver(wire.client, { signal, timeout });
  try {
    const read = await new SkillsClient(over.client).read(entry, file, {
      signal,
      timeout,
      // Another layer decides what is cached, and for whom.
      cacheMode: 'bypass',
    });
    const { mimeType, bytes, text, verified: isVerified } = read;
    return ok({ kind: 'file', file: { uri: read.uri, mimeType, bytes, text, isVerified } });
  } catch (thrown) {
    if (thrown instanceof SkillVerificationError) {
      return ok({ kind: 'mismatch', what: thrown.reason, uri: thrown.uri });
    }
    // The SDK throws this for an entry that breaks its rules.
    if (thrown instanceof TypeError) {
      return err({ kind: 'invalid-result', detail: 'the skill is not described as it should be' });
    }
    return err(wire.failureOf(over.thrown() ?? thrown, options));
  }
}

function filesOnWire(
  files: Skill['files'],
): 'dynamic' | { uri: string; digest: string; size: number }[] {
  return files === 'dynamic'
    ? files
    : files.map(({ uri, digest, size }) => ({ uri, digest, size }));
}

const readSkillPage = pageReader('skills', readSkill, ({ uri }) => uri);

function readGetResult(raw: unknown): Result<Skill, string> {
  const skill = isObject(raw) ? raw['skill'] : undefined;
  return isObject(skill) ? readSkill(skill) : err('`skill` is not an object');
}

function readSkill(raw: Readonly<Record<string, unknown>>): Result<Skill, string> {
  const { uri, frontmatter, resources } = raw;
  const problem = problemOfUri(uri);
  if (problem !== undefined) return err(problem);
  if (!(uri as string).endsWith('/SKILL.md')) return err('has a uri that is not of a SKILL.md');
  if (!isObject(frontmatter)) return err('has no frontmatter');
  const { name, description } = frontmatter;
  if (typeof name !== 'string' || name.length > MAX_NAME_LENGTH || !NAME.test(name)) {
    return err('has no sound name');
  }
  if (typeof description !== 'string' || description === '') return err('has no description');
  if (description.length > MAX_DESCRIPTION_LENGTH) return err('has too long a description');
  const files = readFiles(resources);
  if (!files.ok) return files;
  // It was parsed from JSON.
  const fields = frontmatter as JsonObject & {
    readonly name: string;
    readonly description: string;
  };
  return ok({ uri: uri as string, frontmatter: fields, files: files.value });
}

function readFiles(resources: unknown): Result<Skill['files'], string> {
  if (resources === 'dynamic') return ok(resources);
  if (!Array.isArray(resources)) return err('does not say which files it has');
  if (resources.length > MAX_FILES) return err('has too many files');
  const files: SkillFileEntry[] = [];
  let total = 0;
  for (const file of resources as readonly unknown[]) {
    if (!isObject(file)) return err('has a file that is not an object');
    const { uri, digest, size } = file;
    const problem = problemOfUri(uri);
    if (problem !== undefined) return err(`has a file that ${problem}`);
    if (typeof digest !== 'string' || !DIGEST.test(digest)) return err('has a file without digest');
    if (!Number.isSafeInteger(size) || (size as number) < 0) return err('has a file without size');
    total += size as number;
    files.push({ uri: uri as string, digest, size: size as number });
  }
  return total > MAX_SKILL_BYTES ? err('is too large') : ok(files);
}
