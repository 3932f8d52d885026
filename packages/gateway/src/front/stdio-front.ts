// One client over stdin and stdout.

import type { Readable, Writable } from 'node:stream';
import { StreamClient, type StreamPorts } from './stream-client.ts';
import { MESSAGE_LIMITS } from './limits.ts';

export interface StdioFrontPorts extends Omit<StreamPorts, 'send'> {
  readonly input: Readable;
  readonly output: Writable;
}

/** Until the client closes its end, or `signal` aborts. */
export async function serveStdio(
  { input, output, ...ports }: StdioFrontPorts,
  signal: AbortSignal,
): Promise<void> {
  await using client = new StreamClient({
    ...ports,
    send: (text) => void output.write(`${text}\n`),
  });
  let rest = '';
  const onData = (chunk: string): void => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') client.receive(line);
    // No message is that long: what comes of it is refused when its end is there.
    if (rest.length > MESSAGE_LIMITS.maxLength) rest = rest.slice(0, MESSAGE_LIMITS.maxLength);
  };
  await new Promise<void>((resolve) => {
    input.setEncoding('utf8').on('data', onData);
    input.once('end', () => resolve());
    input.once('close', () => resolve());
    output.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  input.off('data', onData);
}
