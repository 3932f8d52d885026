// The rules of the APIs of Anthropic and OpenAI for requests whose tools are loaded by a search, and the tools that the model
// sees. https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool and
// https://developers.openai.com/api/docs/guides/tools-tool-search

import type { WireName } from './wire.ts';

type Fields = Readonly<Record<string, unknown>>;
type Body = Fields;

/** Why the API would answer with 400, if it would. */
export function toolLoadingProblem(wire: WireName, body: Body): string | undefined {
  if (wire === 'anthropic') return anthropicProblem(body);
  return wire === 'responses' ? responsesProblem(body) : undefined;
}

/** The names of the tools whose definitions the model sees, in order. */
export function visibleTools(wire: WireName, body: Body): readonly string[] {
  const isSent = ({ defer_loading }: Fields): boolean => defer_loading !== true;
  const sent = fieldsIn(body['tools']).filter(isSent).map(nameOf);
  if (wire === 'anthropic') return [...new Set([...sent, ...references(body)])];
  const loaded = fieldsIn(body['input'])
    .filter(({ type }) => type === 'tool_search_output')
    .flatMap(({ tools }) => fieldsIn(tools).map(nameOf));
  return [...new Set([...sent, ...loaded])];
}

const NAME = /^[a-zA-Z0-9_-]{1,128}$/u;
const MOST_TOOLS = 10_000;

function anthropicProblem(body: Body): string | undefined {
  const tools = fieldsIn(body['tools']);
  const deferred = tools.filter(({ defer_loading }) => defer_loading === true);
  const names = new Set(tools.map(nameOf));
  const cached = deferred.find((tool) => tool['cache_control'] !== undefined);
  const missing = references(body).find((name) => !names.has(name));
  if (tools.length > MOST_TOOLS) return 'tools: too many tools';
  if (names.size < tools.length) return 'tools: Tool names must be unique.';
  if (tools.some((tool) => !NAME.test(nameOf(tool)))) return 'tools: a name does not match';
  if (deferred.length > 0 && deferred.length === tools.length) {
    return 'At least one tool must have defer_loading=false.';
  }
  if (cached !== undefined) {
    return `Tool "${nameOf(cached)}" cannot have both defer_loading=true and cache_control set.`;
  }
  if (missing !== undefined) return `Tool reference '${missing}' not found in available tools`;
  return undefined;
}

function references(body: Body): readonly string[] {
  return fieldsIn(body['messages'])
    .flatMap(({ content }) => fieldsIn(content))
    .filter(({ type }) => type === 'tool_result')
    .flatMap(({ content }) => fieldsIn(content))
    .filter(({ type }) => type === 'tool_reference')
    .map(({ tool_name }) => String(tool_name));
}

const IDS: ReadonlyMap<string, string> = new Map([
  ['function_call', 'fc'],
  ['tool_search_call', 'tsc'],
]);

function responsesProblem(body: Body): string | undefined {
  const tools = fieldsIn(body['tools']);
  const canSearch = tools.some(({ type }) => type === 'tool_search');
  if (!canSearch && tools.some(({ defer_loading }) => defer_loading === true)) {
    return 'Deferred tools require tool_search.';
  }
  const open = new Set<unknown>();
  for (const item of fieldsIn(body['input'])) {
    const { type, id, call_id, execution } = item;
    const prefix = IDS.get(String(type));
    if (prefix !== undefined && typeof id === 'string' && !id.startsWith(prefix)) {
      return `Invalid 'input.id': '${id}'. Expected an ID that begins with '${prefix}'.`;
    }
    if (type === 'tool_search_call') {
      if (execution !== 'client') return 'a search was not made by the client';
      open.add(call_id);
    }
    if (type === 'function_call_output' && open.has(call_id)) {
      return `No tool call found for function call output with call_id ${String(call_id)}.`;
    }
    if (type === 'tool_search_output') {
      if (!open.delete(call_id)) return `No tool search found with call_id ${String(call_id)}.`;
      const loaded = fieldsIn(item['tools']);
      const isSound = (tool: Fields): boolean =>
        tool['type'] === 'function' && NAME.test(nameOf(tool));
      if (!loaded.every(isSound)) return 'a loaded tool is no function';
    }
  }
  return open.size > 0 ? 'No tool output found for a tool search call.' : undefined;
}

/** The search tool of OpenAI has no name. */
function nameOf({ name, type }: Fields): string {
  return typeof name === 'string' ? name : String(type);
}

function fieldsIn(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each): each is Fields => typeof each === 'object' && each !== null);
}
