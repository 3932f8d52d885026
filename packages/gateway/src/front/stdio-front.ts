// One client over stdin and stdout. While the client does not read its output, its input is not read either; a client
// that reads nothing at all is disconnected before it fills the memory.

import type { Readable, Writable } from 'node:stream';
import { deadline } from '@plugboard/base';
import { MESSAGE_LIMITS } from '../message/index.ts';
import type { ClientContext } from '../session/index.ts';
import { Lines } from './lines.ts';
import { HTTP_LIMITS } from './limits.ts';
import { StreamClient } from './stream-client.ts';

export interface StdioFrontPorts extends ClientContext {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * How long to wait for answers to a client's last requests after the end of its input: long enough for a script whose requests
 * are piped in, and for a server that has to be fetched and started first. A client that does not want them ends us.
 */
const LAST_ANSWERS_MS = 30_000;

/** Until the client closes its end, or `signal` aborts. */
export async function serveStdio(
  { input, output, ...ports }: StdioFrontPorts,
  signal: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  await using client = new StreamClient({
    ...ports,
    send: (text) => {
      if (gone.signal.aborted) return;
      if (output.writableLength > HTTP_LIMITS.unreadBytes) leave();
      else if (!output.write(`${text}\n`)) input.pause();
    },
  });
  const lines = new Lines(MESSAGE_LIMITS.maxLength);
  const onData = (chunk: Buffer): void => {
    for (const line of lines.push(chunk)) {
      if (line === undefined) client.refuse();
      else if (line.trim() !== '') void client.receive(line);
    }
  };
  const resume = (): void => void input.resume();
  output.on('drain', resume);
  // Whatever is wrong with the streams, there is no client on them any more.
  output.on('error', leave);
  output.once('close', leave);
  input.on('error', leave);
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  await new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
    gone.signal.addEventListener('abort', () => resolve(), { once: true });
    if (gone.signal.aborted) resolve();
    input.on('data', onData);
  });
  using limit = deadline(LAST_ANSWERS_MS, ports.core.options.clock, gone.signal);
  await client.answered(limit.signal);
  leave();
  input.off('data', onData);
  input.pause();
  output.off('drain', resume);
  signal.removeEventListener('abort', leave);
}
