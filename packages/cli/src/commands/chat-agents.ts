// `/agents`: lists the agents that are files, and shows one with its tools and mistakes. Asks for approval when the user
// chooses an agent of the project.

import type { HostEnvironment } from '@plugboard/host/configuration';
import type { PickerRow, SubmitResult } from '../chat/index.ts';
import { shortPath } from '../print/place.ts';
import { visible } from '../print/visible.ts';
import type { AgentFile } from './agent-files.ts';
import type { ModelFiles } from './model-files.ts';
import type { OpenAgent } from './open-agent.ts';

export interface AgentsOptions {
  readonly files: ModelFiles;
  readonly environment: HostEnvironment;
  readonly agent: Pick<OpenAgent, 'model'>;
}

export async function showAgents(
  name: string | undefined,
  { files, environment, agent }: AgentsOptions,
): Promise<SubmitResult> {
  await files.refresh(agent.model);
  if (name === undefined) return pickAgent(files, environment);
  const file = files.agentFiles.find((one) => one.name === name);
  if (file === undefined) {
    return {
      kind: 'problem',
      message: `there is no agent ${visible(name)}`,
      fix: 'see the list: /agents',
    };
  }
  const isUsed = file.mistakes.length === 0 && (await files.approve(file.notes));
  await files.refresh(agent.model);
  return { kind: 'shown', text: agentText(file, { isUsed, environment }) };
}

function pickAgent(files: ModelFiles, environment: HostEnvironment): SubmitResult {
  const { config } = environment.paths;
  return {
    kind: 'pick',
    picker: {
      title: 'Agents that the model can delegate to',
      rows: files.agentFiles.map((file) => agentRow(file, files)),
      empty: `There are none yet. One is a Markdown file in .plugboard/agents or ${shortPath(config, environment)}/agents, with "description" at its top.`,
      note: 'Enter shows one; one of the project counts once you have approved it.',
    },
  };
}

function agentRow(file: AgentFile, files: ModelFiles): PickerRow {
  const { name, about } = file;
  return {
    label: `${name}: ${visible(about).slice(0, 100)}`,
    detail: stateWords(file, files),
    line: `/agents ${name}`,
  };
}

function stateWords({ name, notes, mistakes }: AgentFile, { waiting }: ModelFiles): string {
  if (mistakes.length > 0) return 'has mistakes';
  if (notes === undefined) return 'yours';
  if (notes.standing.kind === 'declined') return 'declined';
  return waiting.includes(`agent ${name}`) ? 'not approved' : 'used here';
}

interface AgentDetails {
  readonly isUsed: boolean;
  readonly environment: HostEnvironment;
}

function agentText(file: AgentFile, { isUsed, environment }: AgentDetails): string {
  const { name, about, path, tools, withoutTools, unknownTools, model, mistakes, text } = file;
  const state = mistakes.length > 0 ? 'not used: see what is wrong' : isUsed ? 'used' : 'not used';
  const rows: readonly (readonly [string, string])[] = [
    ['agent', `${name}, ${state}`],
    ['file', shortPath(path, environment)],
    ['for', about],
    ['tools', tools === undefined ? 'all' : tools.join(', ')],
    ...(withoutTools === undefined ? [] : [['without', withoutTools.join(', ')] as const]),
    ...(unknownTools.length === 0 ? [] : [['no tools', unknownTools.join(', ')] as const]),
    ['model', model?.name ?? 'that of the conversation'],
    ...mistakes.map((mistake) => ['wrong', mistake] as const),
  ];
  const lines = rows.map(([key, value]) => `${key.padEnd(10)}${visible(value)}`);
  return [...lines, '', ...text.split('\n').map((line) => visible(line))].join('\n');
}
