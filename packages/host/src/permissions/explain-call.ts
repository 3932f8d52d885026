// Explains what would be decided about a call, from files alone, for a program that only shows it.

import type { JsonObject } from '@plugboard/base';
import type { AdmittedConfiguration } from '../admission/index.ts';
import { claimsOf, type HostTool, namePrefixOf } from '../catalog/index.ts';
import type { CallSubject, Explanation } from '../policy/index.ts';
import { callPolicy } from './call-policy.ts';
import type { CallContext } from './call-rules.ts';
import { withRealPaths } from './real-paths.ts';

export interface AskedCall {
  readonly server: string;
  readonly tool: string;
  /** The tool as listed in an earlier run; a tool that was never listed has no annotations. */
  readonly known: HostTool | undefined;
  readonly arguments: JsonObject;
}

export async function explainCall(
  { server, tool, known, arguments: given }: AskedCall,
  configuration: AdmittedConfiguration,
  context: CallContext,
): Promise<Explanation> {
  const policy = await callPolicy(configuration, context);
  const call: CallSubject = {
    server,
    tool,
    name: known?.name ?? `${namePrefixOf(server)}${tool}`,
    claims: claimsOf(known?.annotations),
    arguments: given,
  };
  return policy.explain(await withRealPaths(call, policy));
}
