// A toolbox without servers, whose tools are functions of a test.

import type { RunSettings, ServerNote, Toolbox, ToolCall } from '../src/conversation/index.ts';

export interface MemoryTool {
  readonly isReadOnly?: boolean;
  readonly run: (call: ToolCall, settings: RunSettings) => Promise<string> | string;
}

export interface MemoryToolbox extends Toolbox {
  readonly tools: Map<string, MemoryTool>;
  readonly servers: ServerNote[];
  running: number;
}

export function memoryToolbox(tools: Readonly<Record<string, MemoryTool>>): MemoryToolbox {
  const box: MemoryToolbox = {
    tools: new Map(Object.entries(tools)),
    servers: [],
    running: 0,
    offer() {
      return {
        tools: [...box.tools.keys()].map((name) => ({
          name,
          description: `Does ${name}`,
          inputSchema: { type: 'object' },
        })),
        servers: [...box.servers],
        describe(name) {
          const tool = box.tools.get(name);
          if (tool === undefined) return undefined;
          return { server: 'memory', title: name, isReadOnly: tool.isReadOnly === true };
        },
        resolve: (call) => call,
      };
    },
    async run(call, settings) {
      const tool = box.tools.get(call.tool);
      const { id, tool: name } = call;
      if (tool === undefined) {
        const text = `There is no tool ${name}.`;
        return { id, tool: name, isError: true, parts: [{ kind: 'text', text }] };
      }
      box.running += 1;
      try {
        const text = await tool.run(call, settings);
        const isError = text.startsWith('error');
        return { id, tool: name, isError, parts: [{ kind: 'text', text }] };
      } finally {
        box.running -= 1;
      }
    },
  };
  return box;
}

/** Never ends by itself; ends when its signal aborts. */
export function untilAborted({ signal }: RunSettings): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
}
