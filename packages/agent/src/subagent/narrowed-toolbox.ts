// A toolbox with some of the tools of another one. Other tools are neither offered nor run.

import { CALL_TOOL, RUN_CODE } from '@plugboard/host/adapters';
import type { Toolbox } from '../conversation/index.ts';
import { textAnswer } from '../conversation/index.ts';

/** Tools that call other tools, which are checked instead. */
const CALLING: ReadonlySet<string> = new Set([CALL_TOOL, RUN_CODE]);

export function narrowed(toolbox: Toolbox, admits: (tool: string) => boolean): Toolbox {
  return {
    offer() {
      const whole = toolbox.offer();
      return {
        tools: whole.tools.filter(({ name }) => CALLING.has(name) || admits(name)),
        ...(whole.loadable && {
          loadable: {
            ...whole.loadable,
            direct: whole.loadable.direct.filter(({ name }) => admits(name)),
            deferred: whole.loadable.deferred.filter(({ name }) => admits(name)),
          },
        }),
        servers: whole.servers,
        describe: (tool) => (CALLING.has(tool) || admits(tool) ? whole.describe(tool) : undefined),
        resolve: (call) => whole.resolve(call),
      };
    },
    run(call, settings) {
      // The tool that would actually run is checked.
      const { tool } = toolbox.offer().resolve(call);
      if (tool === RUN_CODE) return toolbox.run(call, { ...settings, admits });
      if (admits(tool)) return toolbox.run(call, settings);
      return Promise.resolve(textAnswer(call, `There is no tool ${tool} for this task.`, 'error'));
    },
  };
}
