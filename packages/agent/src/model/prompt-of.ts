// Converts a conversation into the form that the SDK's models take. Repairs what a provider would refuse (unanswered
// calls, answers to nothing, empty messages), and leaves out data that belongs to another model. Pure.

import type { JsonObject } from '@plugboard/base';
import type {
  AssistantMessage,
  ImagePart,
  Message,
  ToolAnswer,
  ToolCall,
  UserMessage,
} from '../conversation/index.ts';
import { KEPT_FOR } from './read-answer.ts';
import type { Prompt, PromptMessage, ProviderOptions, Vendor } from './vendor.ts';

export type PromptTraits = Pick<Vendor, 'imagesInAnswers' | 'plainReasoning'> & {
  /** The name that users see. */
  readonly name: string;
};

type UserContent = Extract<PromptMessage, { role: 'user' }>['content'];
type AssistantContent = Extract<PromptMessage, { role: 'assistant' }>['content'];
type ToolContent = Extract<PromptMessage, { role: 'tool' }>['content'];
type Output = Extract<ToolContent[number], { type: 'tool-result' }>['output'];

export function promptOf(
  system: string,
  messages: readonly Message[],
  traits: PromptTraits,
): Prompt {
  const prompt: Prompt = system === '' ? [] : [{ role: 'system', content: system }];
  let open: readonly ToolCall[] = [];
  for (const message of messages) {
    // Before any other message, the open calls must be answered.
    const answers = message.kind === 'tool' ? message.answers : [];
    prompt.push(...answersTo(open, answers, traits));
    open = [];
    if (message.kind === 'user') prompt.push(...userMessage(message));
    if (message.kind !== 'assistant') continue;
    prompt.push(...assistantMessage(message, traits));
    open = message.parts.filter((part): part is ToolCall => part.kind === 'call');
  }
  prompt.push(...answersTo(open, [], traits));
  return prompt;
}

function userMessage({ parts }: UserMessage): Prompt {
  const content: UserContent = parts.flatMap((part): UserContent => {
    switch (part.kind) {
      case 'text':
        return isBlank(part.text) ? [] : [{ type: 'text', text: part.text }];
      case 'image':
        return [isVisible(part) ? fileOf(part) : { type: 'text', text: unseen(part) }];
      case 'attachment':
        return [{ type: 'text', text: attachmentText(part.label, part.text) }];
      default:
        return part satisfies never;
    }
  });
  return content.length === 0 ? [] : [{ role: 'user', content }];
}

/** An attachment cannot close its own frame to pose as text of the user. */
function attachmentText(label: string, text: string): string {
  const inside = text.replaceAll(/<(?=\/attachment\b)/giu, '&lt;');
  return `<attachment name=${JSON.stringify(label)}>\n${inside}\n</attachment>`;
}

function fileOf({ mediaType, data }: ImagePart): Extract<UserContent[number], { type: 'file' }> {
  return { type: 'file', mediaType, data };
}

function assistantMessage({ parts }: AssistantMessage, traits: PromptTraits): Prompt {
  const content: AssistantContent = parts.flatMap((part): AssistantContent => {
    const kept = part.kind === 'text' ? undefined : ownOptions(part.provider, traits.name);
    switch (part.kind) {
      case 'text':
        return isBlank(part.text) ? [] : [{ type: 'text', text: part.text }];
      case 'reasoning': {
        const isPlain = part.provider === undefined && traits.plainReasoning === 'sent';
        if (kept === undefined && !isPlain) return [];
        return [{ type: 'reasoning', text: part.text, ...(kept && { providerOptions: kept }) }];
      }
      case 'call':
        return [
          {
            type: 'tool-call',
            toolCallId: part.id,
            toolName: part.tool,
            input: part.arguments,
            ...(kept && { providerOptions: kept }),
          },
        ];
      default:
        return part satisfies never;
    }
  });
  return content.length === 0 ? [] : [{ role: 'assistant', content }];
}

/** Signatures are bound to their model: another one would refuse the whole conversation. */
function ownOptions(provider: JsonObject | undefined, name: string): ProviderOptions | undefined {
  if (provider?.[KEPT_FOR] !== name) return undefined;
  const { [KEPT_FOR]: _, ...options } = provider;
  // The reader of answers stored them as the SDK returned them.
  return options as ProviderOptions;
}

function answersTo(
  calls: readonly ToolCall[],
  answers: readonly ToolAnswer[],
  traits: PromptTraits,
): Prompt {
  if (calls.length === 0) return [];
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  const content: ToolContent = calls.map(({ id, tool }) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: tool,
    output: outputOf(byId.get(id) ?? { ...NEVER_RUN, id, tool }, traits),
  }));
  const message: PromptMessage = { role: 'tool', content };
  if (traits.imagesInAnswers === 'inside') return [message];
  const images = calls.flatMap(({ id }) => imagesOf(byId.get(id)));
  return images.length === 0 ? [message] : [message, imagesBehind(images)];
}

const NEVER_RUN: Omit<ToolAnswer, 'id' | 'tool'> = {
  isError: true,
  parts: [{ kind: 'text', text: 'This call was not run.' }],
};

function outputOf(answer: ToolAnswer, traits: PromptTraits): Output {
  const parts = answer.parts.map((part) =>
    part.kind === 'text' || isVisible(part) ? part : { kind: 'text' as const, text: unseen(part) },
  );
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  const images = imagesOf(answer);
  if (images.length === 0) {
    return {
      type: answer.isError ? 'error-text' : 'text',
      value: filled(text),
    };
  }
  if (traits.imagesInAnswers === 'behind') {
    const note = `(${images.length} images of this answer follow in the next message)`;
    return { type: 'text', value: isBlank(text) ? note : `${text}\n${note}` };
  }
  return {
    type: 'content',
    value: parts.map((part) =>
      part.kind === 'text'
        ? { type: 'text', text: filled(part.text) }
        : { type: 'image-data', mediaType: part.mediaType, data: part.data },
    ),
  };
}

function imagesOf(answer: ToolAnswer | undefined): ImagePart[] {
  return (answer?.parts ?? []).filter(
    (part): part is ImagePart => part.kind === 'image' && isVisible(part),
  );
}

function imagesBehind(images: readonly ImagePart[]): PromptMessage {
  const note = { type: 'text' as const, text: 'Images in the answers of the tools above:' };
  return { role: 'user', content: [note, ...images.map(fileOf)] };
}

/** Providers refuse a whole conversation because of one empty text. */
function isBlank(text: string): boolean {
  return text.trim() === '';
}

function filled(text: string): string {
  return isBlank(text) ? '(nothing)' : text;
}

/** The types that all providers accept; a conversation with any other could never be sent again. */
const VISIBLE = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function isVisible({ mediaType, data }: ImagePart): boolean {
  return VISIBLE.has(mediaType) && data !== '';
}

function unseen({ mediaType }: ImagePart): string {
  return `(an image of the type ${JSON.stringify(mediaType.slice(0, 100))}, which cannot be shown to you)`;
}
