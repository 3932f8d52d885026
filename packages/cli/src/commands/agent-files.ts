// Agents that are files: Markdown whose fields say when to use the agent, with which tools and which model, and whose
// text tells it how to work. Pure. A file with mistakes becomes an agent that cannot be used and says why.

import { type ChosenModel, knownModels, type ModelChoice } from '@plugboard/agent';
import type { FolderNotes } from '@plugboard/host/configuration';
import { problemWords } from './chosen-model.ts';
import { markdownParts } from './markdown-fields.ts';
import { isMarkdownName, type MarkdownFile } from './markdown-files.ts';

export interface AgentFile {
  readonly name: string;
  readonly path: string;
  readonly about: string;
  /** How it works, in words to it. */
  readonly text: string;
  /** Names and patterns for models; all tools, by default. */
  readonly tools?: readonly string[];
  readonly withoutTools?: readonly string[];
  /** Names of tools that there are none of here. */
  readonly unknownTools: readonly string[];
  /** By default, that of the conversation. */
  readonly model?: ChosenModel;
  /** Why it cannot be used, one sentence each. */
  readonly mistakes: readonly string[];
  /** Of a project: to be approved first. */
  readonly notes?: FolderNotes;
}

export interface ModelsForAgents {
  /** `provider/model` of the conversation. */
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

/** Names of other hosts, and the tools of the built-in servers that do the same. */
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

/** `undefined` if nothing is said, which is not the same as an empty list. */
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

/** Sizes of Anthropic's models, by which other hosts name them. */
const SIZES: ReadonlySet<string> = new Set(['haiku', 'sonnet', 'opus']);

/** A text says what is wrong. Nothing is the model of the conversation. */
function readModel(
  written: string | undefined,
  { current, choose }: ModelsForAgents,
  notes: FolderNotes | undefined,
): ChosenModel | string | undefined {
  if (written === undefined || written === '' || written === 'inherit') return undefined;
  const provider = current?.split('/')[0];
  // A conversation with another provider stays there: a size is no reason to send it elsewhere.
  if (SIZES.has(written) && provider !== 'anthropic') return undefined;
  const sized = knownModels().find(({ name }) => name.startsWith(`anthropic/claude-${written}-`));
  const choice = choose(SIZES.has(written) ? (sized?.name ?? written) : written);
  if (choice.kind === 'none') return `"model" is ${written}: ${problemWords(choice.problem)}`;
  if (notes !== undefined && provider !== undefined && choice.model.provider !== provider) {
    return `"model" is ${written}, of another provider than the conversation's: only an agent of your own may name one`;
  }
  return choice.model;
}
