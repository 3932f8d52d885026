// The agents and skills that are files: those of the user, and approved ones of the project. The files are read again before
// each turn. The user is asked about a file of the project when the model names it.

import { dirname, join, relative, sep } from 'node:path';
import type { ChosenModel, ModelChoice, NamedAgent, Skill } from '@plugboard/agent';
import { err, ok, type Result } from '@plugboard/base';
import {
  type FolderNotes,
  leadsOutOf,
  listFolder,
  readTextFile,
} from '@plugboard/host/configuration';
import { notesProblemWords } from '../print/notes-words.ts';
import { shortPath } from '../print/place.ts';
import { visible } from '../print/visible.ts';
import { agentFile, type AgentFile } from './agent-files.ts';
import { type ApprovalOfFiles, isUsable, isApproved } from './approved-file.ts';
import { firstLine } from './command-files.ts';
import { markdownParts } from './markdown-fields.ts';
import {
  firstOfEach,
  type MarkdownFile,
  markdownFiles,
  type MarkdownSource,
} from './markdown-files.ts';

/** An agent whose model is not open yet. */
export type AgentToUse = Omit<NamedAgent, 'model'> & { readonly chosen?: ChosenModel };

export interface ModelFilesOptions {
  readonly source: MarkdownSource;
  readonly approval: ApprovalOfFiles;
  readonly choose: (name: string) => ModelChoice;
}

export class ModelFiles {
  readonly #options: ModelFilesOptions;
  /** The answers of this conversation, by name and text of the file. */
  readonly #answers = new Map<string, boolean>();
  #agents: readonly AgentFile[] = [];
  #skills: readonly MarkdownFile[] = [];
  #problems: readonly string[] = [];

  constructor(options: ModelFilesOptions) {
    this.#options = options;
  }

  /** Reads the current files. */
  async refresh(current: string | undefined): Promise<void> {
    const { source, choose } = this.#options;
    const [agents, skills] = await Promise.all([
      markdownFiles(['agents'], source),
      markdownFiles(['skills'], source),
    ]);
    const read = agents.flatMap((one) => (one.ok ? [one.value] : []));
    this.#agents = firstOfEach(read.map((file) => agentFile(file, { current, choose })));
    this.#skills = firstOfEach(skills.flatMap((one) => (one.ok ? [one.value] : [])));
    this.#problems = [...agents, ...skills].flatMap((one) =>
      one.ok ? [] : [notesProblemWords(one.error, source.environment)],
    );
  }

  /** Includes agents with mistakes. */
  get agentFiles(): readonly AgentFile[] {
    return this.#agents;
  }

  /** The problems of files, one line each. */
  get problems(): readonly string[] {
    const mistaken = this.#agents.flatMap((file) =>
      file.mistakes.length === 0 ? [] : [this.#mistakeWords(file)],
    );
    return [...this.#problems, ...mistaken];
  }

  /** The names of files of the project that are not approved. */
  get waiting(): readonly string[] {
    const isWaiting = ({ notes }: { readonly notes?: FolderNotes }): boolean =>
      notes !== undefined && notes.standing.kind !== 'declined' && !this.#isUsable(notes);
    return [
      ...this.#agents.filter(isWaiting).map(({ name }) => `agent ${name}`),
      ...this.#skills.filter(isWaiting).map(({ name }) => `skill ${name}`),
    ];
  }

  agents(): readonly AgentToUse[] {
    return this.#agents.map((file) => ({
      name: file.name,
      about: file.about,
      isListed: file.mistakes.length === 0 && this.#isUsable(file.notes),
      instructions: async () => {
        if (file.mistakes.length > 0) return err(this.#mistakeWords(file));
        return (await this.#mayUse(file.notes)) ? ok(file.text) : err(notApproved(file.name));
      },
      ...(file.tools === undefined ? {} : { tools: file.tools }),
      ...(file.withoutTools === undefined ? {} : { withoutTools: file.withoutTools }),
      ...(file.model === undefined ? {} : { chosen: file.model }),
    }));
  }

  skills(): readonly Skill[] {
    return this.#skills.map((file) => {
      const { fields, text } = markdownParts(file.text);
      const folder = dirname(file.path);
      const ifApproved = async (
        read: () => Promise<Result<string, string>>,
      ): Promise<Result<string, string>> =>
        (await this.#mayUse(file.notes)) ? read() : err(notApproved(file.name));
      return {
        name: file.name,
        about: fields.get('description') ?? firstLine(text),
        isListed: this.#isUsable(file.notes),
        load: () => ifApproved(async () => ok(await skillText(folder, text))),
        read: (path) => ifApproved(() => skillFile(folder, path)),
      };
    });
  }

  /** Asks again about a declined file, since the user requests it. */
  async approve(notes: FolderNotes | undefined): Promise<boolean> {
    const isUsed = await isApproved(notes, this.#options.approval);
    if (notes !== undefined) this.#answers.set(keyOf(notes), isUsed);
    return isUsed;
  }

  /** Asks at most once, even if the model names the file again. */
  async #mayUse(notes: FolderNotes | undefined): Promise<boolean> {
    if (notes === undefined || this.#isUsable(notes)) return true;
    const answer = this.#answers.get(keyOf(notes));
    return notes.standing.kind === 'declined' || answer === false ? false : this.approve(notes);
  }

  #isUsable(notes: FolderNotes | undefined): boolean {
    if (isUsable(notes, this.#options.approval)) return true;
    return notes !== undefined && this.#answers.get(keyOf(notes)) === true;
  }

  #mistakeWords({ path, mistakes }: AgentFile): string {
    const place = visible(shortPath(path, this.#options.source.environment));
    return `${place} is not used: ${mistakes.map((one) => visible(one)).join('; ')}`;
  }
}

function keyOf({ name, text }: FolderNotes): string {
  return `${name}\n${text}`;
}

function notApproved(name: string): string {
  return `The user has not approved ${name}, which came with this project. They see it and decide with /agents, or by typing the name of a skill after a slash. Go on without it.`;
}

const MAX_LISTED = 50;
const MAX_BYTES = 256 * 1024;

/** Lists the files of the skill. Its scripts run, and need approval, like any other command. */
async function skillText(folder: string, text: string): Promise<string> {
  const files = (await filesBelow(folder, 2)).filter((path) => path !== 'SKILL.md');
  const shown = files.slice(0, MAX_LISTED).map((path) => `- ${visible(path)}`);
  const more = files.length > MAX_LISTED ? [`- and ${files.length - MAX_LISTED} more`] : [];
  const beside = shown.length === 0 ? [] : ['', `Files in ${folder}:`, ...shown, ...more];
  return [text.trim(), ...beside].join('\n');
}

async function filesBelow(folder: string, depth: number): Promise<readonly string[]> {
  const items = await listFolder(folder);
  const below = await Promise.all(
    items.map(async ({ name, kind }) => {
      if (kind !== 'folder') return [name];
      if (depth === 0) return [];
      return (await filesBelow(join(folder, name), depth - 1)).map((path) => `${name}/${path}`);
    }),
  );
  return below.flat();
}

/** Reads no file outside the folder of the skill, not even through a link. */
async function skillFile(folder: string, path: string): Promise<Result<string, string>> {
  const whole = join(folder, path);
  const way = relative(folder, whole);
  const isInside = way !== '..' && !way.startsWith(`..${sep}`);
  if (!isInside || (await leadsOutOf(folder, whole)) !== undefined) {
    return err(`${JSON.stringify(path)} is not in the folder of the skill.`);
  }
  const read = await readTextFile(whole, { maxBytes: MAX_BYTES });
  if (read.ok) return read;
  return err(`${JSON.stringify(path)} cannot be read from the skill's folder: ${read.error.kind}.`);
}
