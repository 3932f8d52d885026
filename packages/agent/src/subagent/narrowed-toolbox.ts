// A toolbox with some of the tools of another one. What is left out is neither shown nor run.

import type { Toolbox } from '../conversation/index.ts';
import { notCarriedOut } from '../conversation/index.ts';

export function narrowed(toolbox: Toolbox, admits: (tool: string) => boolean): Toolbox {
  return {
    offer() {
      const whole = toolbox.offer();
      return {
        tools: whole.tools.filter(({ name }) => admits(name)),
        servers: whole.servers,
        describe: (tool) => (admits(tool) ? whole.describe(tool) : undefined),
      };
    },
    run(call, settings) {
      if (admits(call.tool)) return toolbox.run(call, settings);
      return Promise.resolve(notCarriedOut(call, `There is no tool ${call.tool} for this task.`));
    },
  };
}
