// Shortens old answers, the cheap way to make room: keeps their beginning and end, and removes pictures. Calls keep their
// answers. Pure.

import type { ImagePart, Message, TextPart, ToolAnswer } from '../conversation/index.ts';

/** The number of characters that are kept at each end. */
const KEPT = 400;

export function shortenAnswers(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) =>
    message.kind === 'tool' ? { ...message, answers: message.answers.map(shortAnswer) } : message,
  );
}

function shortAnswer(answer: ToolAnswer): ToolAnswer {
  return { ...answer, parts: answer.parts.map(shortPart) };
}

function shortPart(part: TextPart | ImagePart): TextPart {
  if (part.kind === 'image') return { kind: 'text', text: `[a picture, ${part.mediaType}]` };
  return { ...part, text: shortText(part.text, KEPT) };
}

export function shortText(text: string, kept: number): string {
  if (text.length <= 2 * kept + 100) return text;
  const left = text.length - 2 * kept;
  return `${text.slice(0, kept)}\n[… ${left} characters were left out here …]\n${text.slice(-kept)}`;
}
