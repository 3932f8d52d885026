// Adds the agent's own tools to those of servers. They need no approval, since they only affect the conversation, or ask
// the user themselves.

import type {
  ModelTool,
  RunSettings,
  Toolbox,
  ToolAnswer,
  ToolCall,
} from '../conversation/index.ts';

export interface OwnTool {
  /** May be a getter, since the definition can change. */
  readonly definition: ModelTool;
  readonly title: string;
  /** Whether it may run in plan mode, and in parallel with other calls. */
  readonly isReadOnly?: true;
  /** Whether it is offered now; always, by default. */
  readonly isOffered?: () => boolean;
  run(call: ToolCall, settings: RunSettings): Promise<ToolAnswer>;
}

export function withOwnTools(toolbox: Toolbox, all: readonly OwnTool[]): Toolbox {
  const offered = (): readonly OwnTool[] => all.filter(({ isOffered }) => isOffered?.() ?? true);
  return {
    offer() {
      const inner = toolbox.offer();
      const own = offered();
      const definitions = own.map(({ definition }) => definition);
      return {
        tools: [...inner.tools, ...definitions],
        ...(inner.loadable && {
          loadable: { ...inner.loadable, direct: [...inner.loadable.direct, ...definitions] },
        }),
        servers: inner.servers,
        describe: (name) => {
          const tool = own[definitions.findIndex((definition) => definition.name === name)];
          if (tool === undefined) return inner.describe(name);
          return { server: 'plugboard', title: tool.title, isReadOnly: tool.isReadOnly ?? false };
        },
        resolve: (call) => inner.resolve(call),
      };
    },
    begin: (messages) => toolbox.begin?.(messages),
    hear: (message) => toolbox.hear?.(message),
    run(call, settings) {
      const tool = offered().find(({ definition }) => definition.name === call.tool);
      return tool === undefined ? toolbox.run(call, settings) : tool.run(call, settings);
    },
  };
}
