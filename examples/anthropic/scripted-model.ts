// Stands in for Anthropic's Messages API: answers in its shapes, always the same.

import type {
  AnthropicTool,
  AnthropicToolResult,
  AnthropicToolUse,
} from '@plugboard/host/adapters';

export type Block = { type: 'text'; text: string } | AnthropicToolUse | AnthropicToolResult;

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly Block[];
}

interface Request {
  readonly model: string;
  readonly tools: AnthropicTool[];
  readonly messages: readonly Message[];
}

interface Answer {
  readonly content: readonly (AnthropicToolUse | { type: 'text'; text: string })[];
  readonly stop_reason: 'tool_use' | 'end_turn';
}

export async function createMessage({ tools, messages }: Request): Promise<Answer> {
  const use = (id: string, name: string, input: unknown): AnthropicToolUse => ({
    type: 'tool_use',
    id,
    name,
    input,
  });
  if (!tools.some(({ name }) => name === 'mcp__everything__get-sum')) throw new Error('no tool');
  if (messages.length > 1) {
    return { content: [{ type: 'text', text: 'It is 5.' }], stop_reason: 'end_turn' };
  }
  return {
    content: [
      use('toolu_1', 'mcp__everything__get-sum', { a: 2, b: 3 }),
      use('toolu_2', 'mcp__everything__get-tiny-image', {}),
      use('toolu_3', 'mcp__everything__get-som', {}),
    ],
    stop_reason: 'tool_use',
  };
}
