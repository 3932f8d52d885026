import type { JSX } from 'preact';
import { type Answer, reasonOf } from '../feed/request.ts';
import { Text } from '../text/text.tsx';

interface FailureProps {
  readonly of: Answer<unknown> | undefined;
  /** By default, that of a note in place of a view. */
  readonly class?: string;
}

/** Why a request failed; nothing if it did not. The reason may have text of a server. */
export function Failure({ of: answer, class: look = 'empty' }: FailureProps): JSX.Element | null {
  if (answer === undefined || answer.kind === 'ok') return null;
  return (
    <p class={look}>
      <Text of={reasonOf(answer)} />
    </p>
  );
}
