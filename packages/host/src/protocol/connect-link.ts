// Connects a session over a link. If that fails or is aborted, the link is closed.

import { err, ok, type Result } from '@plugboard/base';
import { classify, type JudgeSdkError } from './classify.ts';
import type { Link } from './link-to.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { RequestOptions } from './neutral/session.ts';

export async function connectLink(
  link: Link,
  { signal, timeoutMs }: RequestOptions,
  {
    judge,
    connect,
  }: { readonly judge: JudgeSdkError | undefined; readonly connect: () => Promise<void> },
): Promise<Result<void, ProtocolFailure>> {
  // Closing ends a step that hangs: not every step listens to the signal.
  const abort = (): void => void link.transport.close();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await connect();
    signal.throwIfAborted();
    return ok(undefined);
  } catch (thrown) {
    const { url } = link;
    const failure = classify(thrown, { signal, timeoutMs, url, end: () => link.end() }, judge);
    await link.transport.close();
    return err(failure);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
