// How many tokens something is, roughly. A model's own count is better and comes only after the fact. Pure.

import type { Message, ModelTool } from '../conversation/index.ts';

/** Of text in the languages and the code that models read. */
const CHARACTERS_PER_TOKEN = 3.5;
/** What providers count for a picture of the size that the host lets through. */
const TOKENS_PER_IMAGE = 1600;
/** For the marks around a message. */
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
