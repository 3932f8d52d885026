// Runs a script over a host's tools: each of its calls is a call of the host, with the script for the person who is asked about it.

import { definedFields } from '@plugboard/base';
import type { HostTool } from '../catalog/index.ts';
import type { CallOutcome, CallScript, CallSettings, Host } from '../host/index.ts';
import { errorText, scriptAsker, scriptValue } from './scripts-of-models.ts';

/** A call of a tool by the name that models know it by. */
export interface MadeCall {
  readonly name: string;
  readonly arguments: Parameters<Host['call']>[1];
}

/** `inScript`: what a call of a script needs beside, in place of what the program gives. */
export type MakeCall = (call: MadeCall, inScript?: CallSettings) => Promise<CallOutcome>;

export interface ScriptRunOptions {
  readonly host: Pick<Host, 'scripts'>;
  readonly tools: readonly HostTool[];
  readonly make: MakeCall;
  readonly signal?: AbortSignal | undefined;
  /** Whose it is: it waits for no other's. */
  readonly owner?: string | undefined;
  /** What to tell a script whose call failed, in place of what a model reads. */
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
      const said = tool === undefined ? undefined : help?.(tool, outcome);
      return outcome.kind === 'result'
        ? { ok: true, value: scriptValue(outcome) }
        : { ok: false, message: said ?? errorText(outcome) };
    },
  });
}
