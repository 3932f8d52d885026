import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { inProcessServer, serveInProcess } from '../src/in-process-server.ts';
import { type Message, modernMeta } from './raw-client.ts';

async function ask(transport: InMemoryTransport, method: string, params: object): Promise<Message> {
  return new Promise((resolve, reject) => {
    transport.onmessage = (message) => resolve(message as Message);
    const request = { jsonrpc: '2.0', id: 1, method, params } as JSONRPCMessage;
    transport.send(request).catch(reject);
  });
}

const hello = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
};
const add = { name: 'add', arguments: { a: 2, b: 3 } };

it('an in-process server speaks the legacy era once connected to a transport', async () => {
  const [ours, its] = InMemoryTransport.createLinkedPair();
  const server = await inProcessServer();
  await server.connect(its);
  await ours.start();
  expect((await ask(ours, 'initialize', hello)).result).toMatchObject({
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'in-process', version: '1.0.0' },
  });
  expect((await ask(ours, 'tools/call', add)).result).toEqual({
    content: [{ type: 'text', text: '{"sum":5}' }],
    structuredContent: { sum: 5 },
  });
  await server.close();
});

it('an in-process server speaks the modern era on a transport', async () => {
  const [ours, its] = InMemoryTransport.createLinkedPair();
  const serving = await serveInProcess(its);
  await ours.start();
  const params = { name: 'echo', arguments: { message: 'hi' }, _meta: modernMeta };
  expect((await ask(ours, 'tools/call', params)).result).toMatchObject({
    content: [{ type: 'text', text: 'hi' }],
    resultType: 'complete',
  });
  await serving.close();
});
