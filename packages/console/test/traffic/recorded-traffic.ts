// Recorded traffic for the page, without real calls.

import type { Gateway } from '@plugboard/gateway';

const SERVERS = ['files', 'github', 'search'] as const;
const CLIENTS = ['editor', 'chat'] as const;

/** Records so many calls of two clients to three servers, with four messages each. Every fiftieth call fails. */
export function recordCalls(gateway: Gateway, many: number): void {
  const { recorder } = gateway;
  if (recorder === undefined) throw new Error('nothing is recorded');
  for (let number = 0; number < many; number += 1) {
    const name = CLIENTS[number % CLIENTS.length] ?? '';
    const client = { id: name, name, era: 'modern', principal: 'user' } as const;
    const params = { name: `tool-${number % 20}`, arguments: { text: `number ${number}` } };
    const call = recorder.begin({ client, id: number, method: 'tools/call', params });
    const hop = call.sentTo(SERVERS[number % SERVERS.length] ?? '', params.name);
    hop.message('sent', { id: number, method: 'tools/call', params }, 'legacy');
    const isError = number % 50 === 49;
    const result = { content: [{ type: 'text', text: `answer ${number}` }], isError };
    hop.message('received', { id: number, result }, 'legacy');
    hop.ended({ ok: true, value: result }, 'tools/call');
    call.end({ id: number, result });
  }
}
