// Runs a script over a host's tools: each of its calls is a call of the host, whose approval shows the script.

import { definedFields } from '@plugboard/base';
import type { HostTool } from '../catalog/index.ts';
import type { CallOutcome, CallScript, CallSettings, Host } from '../host/index.ts';
import { errorText, scriptAsker, scriptValue } from './scripts-of-models.ts';

/** A call of a tool by its model name. */
export interface MadeCall {
  readonly name: string;
  readonly arguments: Parameters<Host['call']>[1];
}

/** `inScript`: the settings of a call inside a script, which override those of the program. */
export type MakeCall = (call: MadeCall, inScript?: CallSettings) => Promise<CallOutcome>;

export interface ScriptRunOptions {
  readonly host: Pick<Host, 'scripts'>;
  readonly tools: readonly HostTool[];
  readonly make: MakeCall;
  readonly signal?: AbortSignal | undefined;
  /** The owner: a script does not wait for scripts of other owners. */
  readonly owner?: string | undefined;
  /** Replaces the error message of a failed call for the script. */
  readonly help?: (tool: HostTool, outcome: CallOutcome) => string | undefined;
}

export function runScript(
  script: CallScript,
  { host, tools, make, signal, owner, help }: ScriptRunOptions,
): ReturnType<Host['scripts']['run']> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return host.scripts.run(script.code, {
    tools: tools.map(({ name, server, tool }) => ({ name, path: [server, tool] })),
    ...definedFields({ signal }),
    owner,
    call: async (call, { signal: whileRunning, pauseDeadline }) => {
      const outcome = await make(call, {
        script,
        asker: scriptAsker(script),
        signal: whileRunning,
        whileAsked: pauseDeadline,
        result: 'whole',
      });
      const tool = byName.get(call.name);
      const message = tool === undefined ? undefined : help?.(tool, outcome);
      return outcome.kind === 'result'
        ? { ok: true, value: scriptValue(outcome) }
        : { ok: false, message: message ?? errorText(outcome) };
    },
  });
}
