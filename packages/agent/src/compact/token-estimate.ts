// Estimates numbers of tokens. A model's own count is better, but known only after a request. Pure.

import type { Message, ModelTool } from '../conversation/index.ts';

/** On average, for natural languages and code. */
const CHARACTERS_PER_TOKEN = 3.5;
/** What providers count for a picture of the maximum size that the host allows. */
const TOKENS_PER_IMAGE = 1600;
/** The overhead of a message. */
const TOKENS_PER_MESSAGE = 6;

export function tokensOfText(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export function tokensOfTools(tools: readonly ModelTool[]): number {
  return tools.reduce((sum, tool) => sum + tokensOfText(JSON.stringify(tool)), 0);
}

export function tokensOfMessages(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
}

export function tokensOfMessage(message: Message): number {
  const parts =
    message.kind === 'tool' ? message.answers.flatMap((answer) => answer.parts) : message.parts;
  return parts.reduce((sum, part) => {
    switch (part.kind) {
      case 'image':
        return sum + TOKENS_PER_IMAGE;
      case 'call':
        return sum + tokensOfText(part.tool) + tokensOfText(JSON.stringify(part.arguments));
      case 'text':
      case 'reasoning':
      case 'attachment':
        return sum + tokensOfText(part.text);
      default:
        return part satisfies never;
    }
  }, TOKENS_PER_MESSAGE);
}
