import { never } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import type { RunSettings, Toolbox, ToolCall } from '../../src/conversation/index.ts';
import { narrowed } from '../../src/subagent/narrowed-toolbox.ts';
import { memoryToolbox } from '../memory-toolbox.ts';
import { call } from '../scripted-model.ts';

const settings: RunSettings = { signal: never, asker: 'agent', onProgress: () => {} };

const nameIn = ({ arguments: { name } }: ToolCall): string =>
  typeof name === 'string' ? name : '';

/** `call_tool` runs the tool that its argument names. */
function withCallTool(): Toolbox {
  const inner = memoryToolbox({
    read: { run: () => 'was read' },
    erase: { run: () => 'was erased' },
    call_tool: { run: ({ arguments: { name } }) => `ran ${JSON.stringify(name)}` },
  });
  return {
    ...inner,
    offer: () => ({
      ...inner.offer(),
      resolve: (of) => (of.tool === 'call_tool' ? { ...of, tool: nameIn(of) } : of),
    }),
  };
}

describe('a toolbox with some of the tools of another one', () => {
  it('refuses an excluded tool, also through call_tool', async () => {
    const toolbox = narrowed(withCallTool(), (tool) => tool === 'read');
    expect(await toolbox.run(call('1', 'read'), settings)).toMatchObject({ isError: false });
    expect(await toolbox.run(call('2', 'erase'), settings)).toMatchObject({ isError: true });
    const byCallTool = (name: string): ReturnType<Toolbox['run']> =>
      toolbox.run(call('3', 'call_tool', { name }), settings);
    expect(await byCallTool('read')).toMatchObject({ isError: false });
    const refused = await byCallTool('erase');
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.parts)).toContain('There is no tool erase for this task.');
  });

  it('loads no excluded tool', () => {
    const tool = (name: string) => ({ name, description: '', inputSchema: {} });
    const search = tool('search_tools');
    const inner = withCallTool();
    const loadable = { direct: [tool('read'), tool('write')], search };
    const whole: Toolbox = {
      ...inner,
      offer: () => ({
        ...inner.offer(),
        loadable: { ...loadable, deferred: [tool('erase'), tool('read_all')] },
      }),
    };
    const toolbox = narrowed(whole, (name) => name.startsWith('read'));
    expect(toolbox.offer().loadable).toEqual({
      direct: [tool('read')],
      search,
      deferred: [tool('read_all')],
    });
  });
});
