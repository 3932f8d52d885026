// A conversation as Markdown: all messages, and each call with the beginning of its answer. Pure.

import type { AssistantPart, Message, ToolAnswer, UserPart } from '@plugboard/agent';

const MAX_ANSWER = 4000;

export interface ExportedConversation {
  readonly id: string;
  readonly folder: string;
  readonly messages: readonly Message[];
}

export function conversationMarkdown({ id, folder, messages }: ExportedConversation): string {
  const answers = new Map(
    messages.flatMap((message) =>
      message.kind === 'tool' ? message.answers.map((answer) => [answer.id, answer] as const) : [],
    ),
  );
  const sections = messages.flatMap((message): readonly string[] => {
    if (message.kind === 'tool') return [];
    if (message.kind === 'user') return ['## You', ...message.parts.map(userText)];
    const parts = message.parts.flatMap((part) => assistantText(part, answers));
    return parts.length === 0 ? [] : ['## Model', ...parts];
  });
  return `${[`# Conversation ${id}`, `In \`${folder}\`.`, ...sections].join('\n\n')}\n`;
}

function userText(part: UserPart): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'image':
      return `*(an image, ${part.mediaType})*`;
    case 'attachment':
      return `*${part.label}*\n\n${fenced(part.text.slice(0, MAX_ANSWER))}`;
    default:
      return part satisfies never;
  }
}

function assistantText(
  part: AssistantPart,
  answers: ReadonlyMap<string, ToolAnswer>,
): readonly string[] {
  switch (part.kind) {
    case 'text':
      return [part.text];
    case 'reasoning':
      return part.text === '' ? [] : [`> ${part.text.replaceAll('\n', '\n> ')}`];
    case 'call': {
      const head = `**${part.tool}**\n\n${fenced(JSON.stringify(part.arguments, undefined, 2), 'json')}`;
      const answer = answers.get(part.id);
      return answer === undefined ? [head] : [head, fenced(answerText(answer))];
    }
    default:
      return part satisfies never;
  }
}

function answerText({ parts }: ToolAnswer): string {
  const text = parts
    .map((part) => (part.kind === 'text' ? part.text : `(an image, ${part.mediaType})`))
    .join('\n');
  return text.length <= MAX_ANSWER
    ? text
    : `${text.slice(0, MAX_ANSWER)}\n… ${text.length - MAX_ANSWER} more characters`;
}

/** The fence is longer than any in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}
