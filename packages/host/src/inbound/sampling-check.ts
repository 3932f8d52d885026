// Checks that a conversation from a server is valid: each tool use is directly followed by its result. Also
// checks that the model's message answers it. Pure.
// https://modelcontextprotocol.io/specification/2025-11-25/client/sampling#message-content-constraints

import type {
  SampledMessage,
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
} from '../protocol/index.ts';

/** More than any real conversation has, and few enough to check quickly. */
const MAX_MESSAGES = 1000;
const MAX_TOOLS = 200;

/** The problem of a request, in words for the server. */
export function problemOfRequest(request: SamplingRequest): string | undefined {
  const { messages, maxTokens, tools = [], toolChoice } = request;
  if (messages.length === 0) return 'There is no message';
  if (messages.length > MAX_MESSAGES) return `There are more than ${MAX_MESSAGES} messages`;
  if (maxTokens < 1) return 'maxTokens must be at least 1';
  if (tools.length > MAX_TOOLS) return `There are more than ${MAX_TOOLS} tools`;
  if (new Set(tools.map(({ name }) => name)).size < tools.length) return 'Two tools have one name';
  if (toolChoice === 'required' && tools.length === 0)
    return 'A tool is required, and there is none';
  return (
    messages.map((message) => problemOfMessage(message)).find(isText) ?? toolUseProblem(messages)
  );
}

function problemOfMessage({ role, content }: SamplingMessage): string | undefined {
  const results = content.filter(({ kind }) => kind === 'tool-result').length;
  if (results > 0 && results < content.length) return 'Tool results are mixed with other content';
  if (results > 0 && role !== 'user') return 'Tool results must be in a message of the user';
  if (usesIn(content).length > 0 && role !== 'assistant') {
    return 'Only the assistant uses tools';
  }
  return undefined;
}

/** Each tool use must have exactly one result, in the next message, and each result must have a tool use. */
function toolUseProblem(messages: readonly SamplingMessage[]): string | undefined {
  const seen = new Set<string>();
  let open: ReadonlySet<string> = new Set();
  for (const { content } of messages) {
    const answered = content.flatMap((one) => (one.kind === 'tool-result' ? one.toolUseId : []));
    if (answered.length !== open.size || new Set(answered).size !== open.size) {
      return answered.length < open.size
        ? 'Tool result missing in request'
        : 'A tool result answers no use of a tool';
    }
    if (answered.some((id) => !open.has(id))) return 'A tool result answers no use of a tool';
    const used = usesIn(content);
    if (used.some((id) => seen.has(id)) || new Set(used).size < used.length) {
      return 'Two uses of tools have one id';
    }
    for (const id of used) seen.add(id);
    open = new Set(used);
  }
  return open.size === 0 ? undefined : 'Tool result missing in request';
}

/** The problem of a model's message, which is a fault of the embedding program and not of the server. */
export function problemOfAnswer(
  { content }: SampledMessage,
  { tools = [], toolChoice }: SamplingRequest,
): string | undefined {
  const used = content.flatMap((block) => (block.kind === 'tool-use' ? block : []));
  if (used.length === 0) return undefined;
  if (toolChoice === 'none') return 'used a tool, and may not';
  const known = new Set(tools.map(({ name }) => name));
  return used.every(({ name }) => known.has(name)) ? undefined : 'used a tool that was not offered';
}

function usesIn(content: readonly SamplingContent[]): readonly string[] {
  return content.flatMap((block) => (block.kind === 'tool-use' ? block.id : []));
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}
