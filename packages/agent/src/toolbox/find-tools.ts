// What a model gets in place of a catalogue that is too large for it: one tool that finds others. What was found is on
// offer from the next request on, and stays.

import type { JsonObject } from '@plugboard/base';
import type { HostTool } from '@plugboard/host';
import type { ModelTool, ToolAnswer, ToolCall } from '../conversation/index.ts';
import { searchTools } from './tool-search.ts';

export const FIND_TOOLS = 'find_tools';

const MOST_FOUND = 12;
/** The oldest of them go first. */
const MOST_OFFERED = 64;
const MOST_SHOWN = 300;

export class FoundTools {
  /** In the order in which they were found, so that what providers keep of a request stays good. */
  #names: readonly string[] = [];

  get names(): ReadonlySet<string> {
    return new Set(this.#names);
  }

  definition(tools: number): ModelTool {
    return {
      name: FIND_TOOLS,
      description: `Finds tools by what they do. There are ${tools} tools, too many to list; those that are found can be called from your next message on. Describe the task in a few words, such as "create github issue".`,
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'What the tool has to do, in a few words' },
        },
        required: ['query'],
      },
    };
  }

  answer(call: ToolCall, tools: readonly HostTool[]): ToolAnswer {
    const query = queryOf(call.arguments);
    if (query === undefined) return textAnswer(call, 'find_tools takes { "query": "…" }.', 'error');
    const found = searchTools(tools, query, MOST_FOUND);
    if (found.length === 0) {
      return textAnswer(
        call,
        'No tool was found. Try other words, such as the name of the service.',
      );
    }
    const names = found.map(({ name }) => name);
    const others = this.#names.filter((name) => !names.includes(name));
    this.#names = [...others, ...names].slice(-MOST_OFFERED);
    const lines = found.map(({ name, description }) => `- ${name}: ${firstWords(description)}`);
    return textAnswer(call, ['These can be called from now on:', ...lines].join('\n'));
  }
}

function queryOf({ query }: JsonObject): string | undefined {
  return typeof query === 'string' && query.trim() !== '' ? query : undefined;
}

function textAnswer({ id, tool }: ToolCall, text: string, kind?: 'error'): ToolAnswer {
  return { id, tool, isError: kind === 'error', parts: [{ kind: 'text', text }] };
}

function firstWords(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MOST_SHOWN ? line : `${line.slice(0, MOST_SHOWN)}…`;
}
