// Passes a server's sampling requests to the host, in both eras, and returns the answers. The port decides whether a
// model is used. Runs no tools.

import type {
  CreateMessageRequest,
  CreateMessageResultWithTools,
  SamplingMessageContentBlock,
} from '@modelcontextprotocol/client';
import { isObject, type Json, type JsonObject } from '@plugboard/base';
import { FailureError } from './neutral/failure.ts';
import { INBOUND_REQUESTS, type InboundPort } from './neutral/inbound-requests.ts';
import type { ContentBlock, ToolDefinition } from './neutral/model.ts';
import type {
  ModelWishes,
  SampledMessage,
  SamplingAnswer,
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
} from './neutral/sampling.ts';
import type { SessionClient } from './session-client.ts';

/** https://modelcontextprotocol.io/specification/2025-11-25/client/sampling#error-handling */
const REJECTED = -1;
const CODES = { rejected: REJECTED, invalid: -32_602, failed: -32_603 } as const;

/** The client must declare the capability. */
export function answerSampling(
  client: SessionClient,
  sample: NonNullable<InboundPort['sample']>,
): void {
  client.setRequestHandler(INBOUND_REQUESTS.sample.method, async ({ params }, context) => {
    const request = readRequest(params);
    return toWire(await sample(request, context.mcpReq.signal), request);
  });
}

/** A legacy server receives the code and the message; a call of a modern server fails with the failure. */
class Refusal extends FailureError {
  readonly code: number;

  constructor(code: number, message: string) {
    super({ kind: 'rpc', code, message });
    this.code = code;
    this.message = message;
  }
}

type WireParams = CreateMessageRequest['params'];

function readRequest(params: WireParams): SamplingRequest {
  const { systemPrompt, temperature, stopSequences, modelPreferences, tools, toolChoice } = params;
  return {
    messages: params.messages.map(readMessage),
    maxTokens: params.maxTokens,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(stopSequences === undefined ? {} : { stopSequences }),
    ...(modelPreferences === undefined ? {} : { model: readWishes(modelPreferences) }),
    ...(tools === undefined ? {} : { tools: tools.map(readTool) }),
    ...(toolChoice?.mode === undefined ? {} : { toolChoice: toolChoice.mode }),
  };
}

function readMessage({ role, content }: WireParams['messages'][number]): SamplingMessage {
  return { role, content: (Array.isArray(content) ? content : [content]).map(readContent) };
}

function readContent(block: SamplingMessageContentBlock): SamplingContent {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text };
    case 'image':
    case 'audio':
      return { kind: block.type, data: block.data, mimeType: block.mimeType };
    case 'tool_use':
      return {
        kind: 'tool-use',
        id: block.id,
        name: block.name,
        input: block.input as JsonObject,
      };
    case 'tool_result': {
      const { toolUseId, content, structuredContent, isError } = block;
      return {
        kind: 'tool-result',
        toolUseId,
        // Checked by the SDK; the neutral model has the same shape.
        content: content as readonly ContentBlock[],
        isError: isError === true,
        ...(structuredContent === undefined
          ? {}
          : { structuredContent: structuredContent as Json }),
      };
    }
    default:
      return block satisfies never;
  }
}

function readWishes(wishes: NonNullable<WireParams['modelPreferences']>): ModelWishes {
  const { hints = [], costPriority, speedPriority, intelligencePriority } = wishes;
  return {
    hints: hints.flatMap(({ name }) => name ?? []),
    ...(costPriority === undefined ? {} : { cost: costPriority }),
    ...(speedPriority === undefined ? {} : { speed: speedPriority }),
    ...(intelligencePriority === undefined ? {} : { intelligence: intelligencePriority }),
  };
}

function readTool(tool: NonNullable<WireParams['tools']>[number]): ToolDefinition {
  const { name, title, description, inputSchema } = tool;
  return {
    name,
    inputSchema: (isObject(inputSchema) ? inputSchema : {}) as JsonObject,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

function toWire(answer: SamplingAnswer, request: SamplingRequest): CreateMessageResultWithTools {
  if (answer.kind === 'refused') throw new Refusal(CODES[answer.why], answer.message);
  const { message } = answer;
  const blocks = (request.tools === undefined ? oneBlock(message) : message.content).map(toBlock);
  const [only] = blocks;
  return {
    role: 'assistant',
    model: message.model,
    content: blocks.length === 1 && only !== undefined ? only : blocks,
    ...(message.stopReason === undefined ? {} : { stopReason: message.stopReason }),
  };
}

/** Older servers accept only a single block in the answer to a request without tools. */
function oneBlock({ content }: SampledMessage): SampledMessage['content'] {
  if (content.length === 1) return content;
  const texts = content.flatMap((block) => (block.kind === 'text' ? block.text : []));
  const other = content.find(({ kind }) => kind !== 'text');
  return [
    texts.length === 0 && other !== undefined ? other : { kind: 'text', text: texts.join('') },
  ];
}

function toBlock(content: SampledMessage['content'][number]): SamplingMessageContentBlock {
  switch (content.kind) {
    case 'text':
      return { type: 'text', text: content.text };
    case 'image':
    case 'audio':
      return { type: content.kind, data: content.data, mimeType: content.mimeType };
    case 'tool-use':
      return {
        type: 'tool_use',
        id: content.id,
        name: content.name,
        input: { ...content.input },
      };
    default:
      return content satisfies never;
  }
}
