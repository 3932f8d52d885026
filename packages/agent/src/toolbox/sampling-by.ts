// Answers sampling requests of servers with the conversation's model. The host and the program handle permissions, limits
// and approvals; this file only converts requests and answers.

import { CodedError } from '@plugboard/base';
import type {
  SampledOutcome,
  SamplingContent,
  SamplingMessage,
  SamplingPort,
  SamplingRequest,
} from '@plugboard/host';
import type {
  AssistantPart,
  FinishReason,
  Message,
  Model,
  ModelTool,
  ToolAnswer,
  UserPart,
} from '../conversation/index.ts';

export type SamplingPeople = Pick<SamplingPort, 'approve' | 'review'>;

/** More than the average of any model; a longer answer exceeds the allowed number of tokens. */
const CHARACTERS_PER_TOKEN = 6;

/** `model` is called for each request, since the model may change. */
export function samplingBy(model: () => Model, people: SamplingPeople): SamplingPort {
  return { ...people, sample: (request, { signal }) => sample(model(), request, signal) };
}

async function sample(
  model: Model,
  request: SamplingRequest,
  signal: AbortSignal,
): Promise<SampledOutcome> {
  const asked = {
    system: request.systemPrompt ?? '',
    messages: toMessages(request.messages),
    tools: toTools(request),
  };
  const most = request.maxTokens * CHARACTERS_PER_TOKEN;
  let said = '';
  for await (const event of model.stream(asked, signal)) {
    if (event.kind === 'text') said += event.text;
    if (event.kind === 'failed') throw modelFailed(event.failure.message);
    if (event.kind === 'finished') {
      const { inputTokens, outputTokens } = event.usage;
      return {
        content: event.message.parts.flatMap(toContent),
        model: model.name,
        stopReason: STOP_REASONS[event.reason],
        tokens: inputTokens + outputTokens,
      };
    }
    if (said.length >= most) {
      const text = said.slice(0, most);
      return { content: [{ kind: 'text', text }], model: model.name, stopReason: 'maxTokens' };
    }
  }
  throw modelFailed('the model stopped in the middle');
}

const STOP_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'endTurn',
  calls: 'toolUse',
  length: 'maxTokens',
  filtered: 'filtered',
  other: 'other',
};

function modelFailed(message: string): CodedError {
  return new CodedError('model-failed', message, { data: undefined });
}

function toTools({ tools = [], toolChoice }: SamplingRequest): readonly ModelTool[] {
  if (toolChoice === 'none') return [];
  return tools.map(({ name, description = `The tool ${JSON.stringify(name)}.`, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
}

function toMessages(messages: readonly SamplingMessage[]): readonly Message[] {
  const names = new Map(
    messages.flatMap(({ content }) =>
      content.flatMap((one) => (one.kind === 'tool-use' ? [[one.id, one.name] as const] : [])),
    ),
  );
  return messages.map(({ role, content }): Message => {
    if (role === 'assistant') return { kind: 'assistant', parts: content.map(toAssistantPart) };
    const answers = content.flatMap((one) => toAnswer(one, names) ?? []);
    if (answers.length > 0) return { kind: 'tool', answers };
    return { kind: 'user', parts: content.map(toUserPart) };
  });
}

function toUserPart(content: SamplingContent): UserPart {
  if (content.kind !== 'image') return { kind: 'text', text: contentText(content) };
  return { kind: 'image', mediaType: content.mimeType, data: content.data };
}

function toAssistantPart(content: SamplingContent): AssistantPart {
  if (content.kind !== 'tool-use') return { kind: 'text', text: contentText(content) };
  return { kind: 'call', id: content.id, tool: content.name, arguments: content.input };
}

function toAnswer(
  content: SamplingContent,
  names: ReadonlyMap<string, string>,
): ToolAnswer | undefined {
  if (content.kind !== 'tool-result') return undefined;
  const { toolUseId: id, isError } = content;
  const text = content.content
    .map((block) => (block.type === 'text' ? block.text : JSON.stringify(block)))
    .join('\n');
  return { id, tool: names.get(id) ?? '', isError, parts: [{ kind: 'text', text }] };
}

function contentText(content: SamplingContent): string {
  return content.kind === 'text' ? content.text : `[${content.kind}]`;
}

function toContent(part: AssistantPart): SampledOutcome['content'] {
  switch (part.kind) {
    case 'text':
      return [{ kind: 'text', text: part.text }];
    case 'call':
      return [{ kind: 'tool-use', id: part.id, name: part.tool, input: part.arguments }];
    case 'reasoning':
      return [];
    default:
      return part satisfies never;
  }
}
