// Waits until a signal aborts, and never rejects.

export function untilAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
    if (signal.aborted) resolve(undefined);
  });
}
