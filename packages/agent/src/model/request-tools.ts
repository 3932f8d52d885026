// Selects the tools of one request: all offered tools, or those for a native search, which lets the provider load the
// found tools. Pure.

import type { Message, ModelRequest, ModelTool } from '../conversation/index.ts';
import type { StreamPart } from './read-answer.ts';
import type { CallOptions, FoundTools, FunctionTool, Vendor } from './vendor.ts';

export interface RequestTools {
  /** `loading`: the provider loads definitions. */
  readonly kind: 'all' | 'loading';
  readonly tools: readonly ModelTool[];
  /** Adds them to a request, in the provider's format. */
  readonly addTo: (options: CallOptions, fit: readonly FunctionTool[]) => CallOptions;
  readonly read: (part: StreamPart) => StreamPart;
}

export function requestTools(
  request: ModelRequest,
  { loading }: Pick<Vendor, 'loading'>,
): RequestTools {
  const { loadable, messages, tools } = request;
  const count = loadable === undefined ? 0 : loadable.direct.length + 1 + loadable.deferred.length;
  if (loading === undefined || loadable === undefined || count > loading.most) {
    return { kind: 'all', tools, addTo: withTools, read: (part) => part };
  }
  const shown = loadable.direct.length + 1;
  return {
    kind: 'loading',
    tools: [...loadable.direct, loadable.search, ...loadable.deferred],
    addTo: (options, fit) => {
      const deferred = fit.slice(shown);
      const found = foundTools(messages, deferred);
      const search = loadable.search.name;
      return loading.apply(withTools(options, fit.slice(0, shown)), { search, deferred, found });
    },
    read: loading.read ?? ((part) => part),
  };
}

function withTools(options: CallOptions, tools: readonly FunctionTool[]): CallOptions {
  if (tools.length === 0) return options;
  return { ...options, tools: [...tools], toolChoice: { type: 'auto' } };
}

/** Leaves out removed tools, since providers refuse them. */
function foundTools(
  messages: readonly Message[],
  deferred: readonly FunctionTool[],
): FoundTools['found'] {
  const byName = new Map(deferred.map((tool) => [tool.name, tool]));
  const answers = messages.flatMap((message) => (message.kind === 'tool' ? message.answers : []));
  return new Map(
    answers.flatMap(({ id, found = [] }) => {
      const tools = found.flatMap((name) => byName.get(name) ?? []);
      return tools.length === 0 ? [] : [[id, tools] as const];
    }),
  );
}
