import type { WaitingAnswer, WaitingView } from '@plugboard/gateway/console-api';
import type { ComponentChildren, JSX } from 'preact';
import { clockOf, timeOf } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { addressOf } from '../ui/route.ts';
import { TimeLeft } from './time-left.tsx';

export type AnswerHandler = (answer: WaitingAnswer) => Promise<void>;

interface CardHeadProps {
  readonly waiting: WaitingView;
  readonly children: ComponentChildren;
}

/** The title, the client, and the times of something that waits. */
export function CardHead({ waiting, children }: CardHeadProps): JSX.Element {
  return (
    <header class="waiting-head">
      <h3 id={`waiting-title-${waiting.id}`} class="waiting-title">
        {children}
      </h3>
      <p class="faint">
        for <Text of={waiting.client} />, since <time>{timeOf(waiting.at)}</time>, can be answered
        until <time>{clockOf(waiting.until)}</time> (<TimeLeft until={waiting.until} />)
        {waiting.call !== undefined && (
          <>
            {' · '}
            <a href={addressOf('traffic', waiting.call)}>messages</a>
          </>
        )}
      </p>
    </header>
  );
}
