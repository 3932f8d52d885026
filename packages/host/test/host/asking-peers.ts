// Servers that ask their client questions, over stdio and HTTP, in both eras.

import type { Json, JsonObject, Scope } from '@plugboard/base';
import { scriptedServer, type HttpScript, startScriptedHttp } from '@plugboard/testkit';
import type { Host } from '../../src/host/index.ts';
import type { Part } from '../../src/output/index.ts';
import type { Era } from '../../src/protocol/index.ts';

export interface AskingCell {
  readonly name: string;
  readonly era: Era;
  readonly isRemote: boolean;
  /** An entry for a server that follows the script and can ask questions. */
  readonly entry: (scope: Scope, script?: HttpScript) => Promise<JsonObject>;
}

const ERAS: readonly Era[] = ['legacy', 'modern'];

export const askingCells: readonly AskingCell[] = ERAS.flatMap((era) => [
  {
    name: `stdio, ${era}`,
    era,
    isRemote: false,
    entry: (_, script = {}) => {
      const { command, args } = scriptedServer({ ...script, asking: true, eras: [era] });
      return Promise.resolve({ command, args, protocol: era });
    },
  },
  {
    name: `http, ${era}`,
    era,
    isRemote: true,
    async entry(scope, script = {}) {
      const peer = scope.use(await startScriptedHttp({ ...script, asking: true, eras: [era] }));
      return { type: 'http', url: peer.url };
    },
  },
]);

/** Has the server `peer` ask a question. Returns the answer that it received, or the failure of the call. */
export async function askedBy(host: Host, wish: JsonObject): Promise<Json> {
  const outcome = await host.call({ server: 'peer', tool: 'ask' }, wish);
  if (outcome.kind === 'protocol-error') {
    const { failure } = outcome;
    return failure.kind === 'rpc'
      ? { code: failure.code, message: failure.message }
      : { failure: failure.kind };
  }
  if (outcome.kind !== 'result') return { outcome: outcome.kind };
  const { answers } = structuredOf(outcome.parts) as { readonly answers: readonly Json[] };
  return answers.map(toldOf);
}

/** The client's declared capabilities, and its notifications. */
export async function heardBy(host: Host): Promise<{
  readonly notifications: readonly string[];
  readonly capabilities: JsonObject;
}> {
  const outcome = await host.call({ server: 'peer', tool: 'heard' }, {});
  if (outcome.kind !== 'result') throw new Error(JSON.stringify(outcome));
  return structuredOf(outcome.parts) as never;
}

function toldOf(answer: Json): Json {
  const { result, error } = answer as JsonObject;
  if (error === undefined) return result ?? null;
  const { code = 0, message = '' } = error as JsonObject;
  return { code, message };
}

function structuredOf(parts: readonly Part[]): unknown {
  return parts.flatMap((part) => (part.kind === 'structured' ? part.value : []))[0];
}
