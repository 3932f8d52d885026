// Serves one client over stdin and stdout. While the client does not read the output, its input is not read either; a client
// that never reads is disconnected before it fills the memory.

import type { Readable, Writable } from 'node:stream';
import { deadline } from '@plugboard/base';
import { MESSAGE_LIMITS } from '../message/index.ts';
import type { ClientContext } from '../session/index.ts';
import { Lines } from './lines.ts';
import { HTTP_LIMITS } from './limits.ts';
import { StreamClient } from './stream-client.ts';

export interface StdioContext extends ClientContext {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * How long to wait for replies after the end of the input: long enough for a script that pipes in its requests, and for a
 * server that has to be fetched and started first. A client that does not need the replies can end this process.
 */
const LAST_ANSWERS_MS = 30_000;

/** Serves until the client closes the input, or `signal` aborts. */
export async function serveStdio(
  { input, output, ...context }: StdioContext,
  signal: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  await using client = new StreamClient({
    ...context,
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
  // After any error of the streams, the client is unreachable.
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
  using limit = deadline(LAST_ANSWERS_MS, context.core.options.clock, gone.signal);
  await client.answered(limit.signal);
  leave();
  input.off('data', onData);
  input.pause();
  output.off('drain', resume);
  signal.removeEventListener('abort', leave);
}
