// Serves a codebase in this process, and calls its tools with the official client.

import { type Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { WAIT_MS, waitUntil } from '@plugboard/testkit';
import { createCodebase, type CodebaseOptions } from '../../src/index.ts';
import { type Cell, newClient } from './cells.ts';

/** The answer of a tool: text for a model, and data for a program. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Record<string, unknown>;
}

export interface CodebaseClient extends AsyncDisposable {
  readonly client: Client;
  call(
    name: string,
    args: Record<string, unknown>,
    options?: Parameters<Client['callTool']>[1],
  ): Promise<ToolAnswer>;
}

export async function openCodebase(
  options: CodebaseOptions,
  era: Cell['era'] = 'modern',
): Promise<CodebaseClient> {
  const codebase = createCodebase(options);
  const client = newClient(era);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await codebase.server().connect(theirs);
  await client.connect(ours);
  return {
    client,
    call: (...call) => callTool(client, ...call),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await codebase.close();
    },
  };
}

/** Waits for a complete index, with several calls, since a busy machine may take longer than one call may wait. */
export async function untilIndexed(client: Client): Promise<void> {
  await waitUntil(
    async () => {
      const { data } = await callTool(client, 'index_status', { wait_seconds: 50 });
      return data['phase'] === 'ready' || data['phase'] === 'following';
    },
    { describe: 'a complete index' },
  );
}

export async function callTool(
  client: Client,
  ...[name, args, options]: Parameters<CodebaseClient['call']>
): Promise<ToolAnswer> {
  const patient = { timeout: WAIT_MS, ...options };
  const result = await client.callTool({ name, arguments: args }, patient);
  const [first] = result.content;
  return {
    isError: result.isError === true,
    text: first?.type === 'text' ? first.text : '',
    data: (result._meta?.['plugboard/data'] ?? {}) as Record<string, unknown>,
  };
}
