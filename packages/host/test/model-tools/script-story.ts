// A model that runs scripts over the tools of a host, through an adapter.

import { anthropicTools, type FitOptions } from '../../src/adapters.ts';
import type { Host } from '../../src/host/index.ts';

/** With so small a budget, all tools are available to scripts only. */
export const CODE: FitOptions = { tools: 'plan', budget: 0, code: true };

export interface ScriptStory {
  readonly names: readonly string[];
  /** The text that the model gets, and whether it is an error. */
  readonly run: (code: string, name?: string) => Promise<{ text: string; isError: boolean }>;
  readonly use: (tool: string, input: object) => Promise<{ text: string; isError: boolean }>;
}

export async function scriptStory(host: Host, options: FitOptions = CODE): Promise<ScriptStory> {
  const { tools, run } = await anthropicTools(host, options);
  const use: ScriptStory['use'] = async (name, input) => {
    const answer = await run({ type: 'tool_use', id: '1', name, input });
    const text = answer.content
      .map((block) => (block.type === 'text' ? block.text : ''))
      .join('\n');
    return { text, isError: answer.is_error === true };
  };
  return {
    names: tools.map(({ name }) => name),
    run: (code, name) => use('run_code', { code, ...(name === undefined ? {} : { name }) }),
    use,
  };
}
