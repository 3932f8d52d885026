// A toolbox with some of the tools of another one. What is left out is neither shown nor run.

import { CALL_TOOL } from '@plugboard/host/adapters';
import type { Toolbox } from '../conversation/index.ts';
import { notCarriedOut } from '../conversation/index.ts';

export function narrowed(toolbox: Toolbox, admits: (tool: string) => boolean): Toolbox {
  return {
    offer() {
      const whole = toolbox.offer();
      return {
        tools: whole.tools.filter(({ name }) => name === CALL_TOOL || admits(name)),
        servers: whole.servers,
        describe: (tool) => (admits(tool) ? whole.describe(tool) : undefined),
        resolve: (call) => whole.resolve(call),
      };
    },
    run(call, settings) {
      // What counts is the tool that would run, not one that calls others.
      const { tool } = toolbox.offer().resolve(call);
      if (admits(tool)) return toolbox.run(call, settings);
      return Promise.resolve(notCarriedOut(call, `There is no tool ${tool} for this task.`));
    },
  };
}
