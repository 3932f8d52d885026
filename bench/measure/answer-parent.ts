// The child's side of a `SideProcess`: says that it is ready, then answers one question at a time. An
// error in an answer ends the process, and with it the benchmark.

export interface Answer {
  readonly value: unknown;
}

export function answerParent(
  reply: (question: never) => Promise<unknown>,
  onEnd: () => unknown,
): void {
  const send = (answer: Answer): void => void process.send?.(answer);
  process.on('message', (question) => {
    // The parent sends what this very module says that it answers.
    void reply(question as never).then((value) => send({ value }));
  });
  process.once('disconnect', onEnd);
  send({ value: undefined });
}
