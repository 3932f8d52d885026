// The child's side of a `SideProcess`: reports that it is ready, then answers one question at a time. An error ends the
// process, and so the benchmark.

export interface Answer {
  readonly value: unknown;
}

export function answerParent(
  reply: (question: never) => Promise<unknown>,
  onEnd: () => unknown,
): void {
  const send = (answer: Answer): void => void process.send?.(answer);
  process.on('message', (question) => {
    // The parent sends only the questions of this module.
    void reply(question as never).then((value) => send({ value }));
  });
  process.once('disconnect', onEnd);
  send({ value: undefined });
}
