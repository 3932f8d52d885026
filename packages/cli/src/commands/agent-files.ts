// Reads an agent from a Markdown file. Its fields say when to use the agent and with which tools and model, and its text
// contains the instructions. A file with mistakes becomes an agent that cannot be used and states the reasons. Pure.

import { type ChosenModel, knownModels, type ModelChoice } from '@plugboard/agent';
import type { FolderNotes } from '@plugboard/host/configuration';
import { problemWords } from './chosen-model.ts';
import { markdownParts } from './markdown-fields.ts';
import { isMarkdownName, type MarkdownFile } from './markdown-files.ts';

export interface AgentFile {
  readonly name: string;
  readonly path: string;
  readonly about: string;
  /** The instructions of the agent. */
  readonly text: string;
  /** Model names and patterns of tools. All tools if omitted. */
  readonly tools?: readonly string[];
  readonly withoutTools?: readonly string[];
  /** Names of tools that do not exist here. */
  readonly unknownTools: readonly string[];
  /** The model of the conversation if omitted. */
  readonly model?: ChosenModel;
  /** The reasons why the agent cannot be used, one sentence each. */
  readonly mistakes: readonly string[];
  /** For a file of a project, which must be approved first. */
  readonly notes?: FolderNotes;
}

export interface ModelsForAgents {
  /** The model of the conversation, as `provider/model`. */
  readonly current: string | undefined;
  readonly choose: (name: string) => ModelChoice;
}

export function agentFile(file: MarkdownFile, models: ModelsForAgents): AgentFile {
  const { fields, text } = markdownParts(file.text);
  const name = fields.get('name') ?? file.name;
  const about = fields.get('description') ?? '';
  const tools = readTools(fields.get('tools'));
  const without = readTools(fields.get('disallowedTools'));
  const model = readModel(fields.get('model'), models, file.notes);
  const isNamed = isMarkdownName(name);
  return {
    name: isNamed ? name : file.name,
    path: file.path,
    about,
    text: text.trim(),
    ...(tools === undefined ? {} : { tools: tools.known }),
    ...(without === undefined ? {} : { withoutTools: without.known }),
    unknownTools: [...(tools?.unknown ?? []), ...(without?.unknown ?? [])],
    ...(typeof model === 'object' ? { model } : {}),
    mistakes: [
      ...(isNamed ? [] : ['"name" must be letters, digits, "-", "_" and ".", at most 64']),
      ...(about === '' ? ['"description" is missing: say when the agent is to be used'] : []),
      ...(text.trim() === '' ? ['there is no text below the fields: say how the agent works'] : []),
      ...(tools !== undefined && tools.known.length === 0
        ? ['"tools" names no tool that there is here: leave it out for all tools']
        : []),
      ...(typeof model === 'string' ? [model] : []),
    ],
    ...(file.notes === undefined ? {} : { notes: file.notes }),
  };
}

/** Tool names of other hosts, and the equivalent tools of the built-in servers. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  Read: ['mcp__codebase__read_file'],
  Grep: ['mcp__codebase__search_code'],
  Glob: ['mcp__codebase__list_directory'],
  LS: ['mcp__codebase__list_directory'],
  Bash: ['mcp__workspace__run_command'],
  BashOutput: ['mcp__workspace__read_job'],
  KillShell: ['mcp__workspace__stop_job'],
  WebFetch: ['mcp__workspace__web_fetch'],
  Edit: ['mcp__workspace__edit_file'],
  MultiEdit: ['mcp__workspace__edit_file'],
  Write: ['mcp__workspace__write_file'],
  Skill: ['skill'],
};

interface ReadTools {
  readonly known: readonly string[];
  readonly unknown: readonly string[];
}

/** `undefined` if all tools are allowed, unlike an empty list. */
function readTools(written: string | undefined): ReadTools | undefined {
  if (written === undefined) return undefined;
  const names = written
    .split(/[,\s]+/u)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.includes('*')) return undefined;
  return {
    known: [...new Set(names.flatMap(toolsCalled))],
    unknown: names.filter((name) => toolsCalled(name).length === 0),
  };
}

function toolsCalled(name: string): readonly string[] {
  const others = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  return others ?? (/^(?:mcp__.+|skill)$/u.test(name) ? [name] : []);
}

/** Sizes of Anthropic's models, which other hosts use as names. */
const SIZES: ReadonlySet<string> = new Set(['haiku', 'sonnet', 'opus']);

/** A string is a mistake. `undefined` is the model of the conversation. */
function readModel(
  written: string | undefined,
  { current, choose }: ModelsForAgents,
  notes: FolderNotes | undefined,
): ChosenModel | string | undefined {
  if (written === undefined || written === '' || written === 'inherit') return undefined;
  const provider = current?.split('/')[0];
  // A size alone does not move the conversation to another provider.
  if (SIZES.has(written) && provider !== 'anthropic') return undefined;
  const sized = knownModels().find(({ name }) => name.startsWith(`anthropic/claude-${written}-`));
  const choice = choose(SIZES.has(written) ? (sized?.name ?? written) : written);
  if (choice.kind === 'none') return `"model" is ${written}: ${problemWords(choice.problem)}`;
  if (notes !== undefined && provider !== undefined && choice.model.provider !== provider) {
    return `"model" is ${written}, of another provider than the conversation's: only an agent of your own may name one`;
  }
  return choice.model;
}
