// Everything that waits for the user: approvals of calls, with what exactly will run, and questions of servers. Below it, the
// past decisions.

import { useSignal } from '@preact/signals';
import type { WaitingView as Waiting } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Answer, post, reasonOf } from '../feed/request.ts';
import { useConsole } from '../store/context.ts';
import { counted } from '../text/numbers.ts';
import { announce } from '../ui/announce.tsx';
import { useFocusedSelection } from '../ui/focus.ts';
import { stepKeys, useKeys } from '../ui/keys.ts';
import { ApprovalCard } from './approval-card.tsx';
import type { AnswerHandler } from './card-head.tsx';
import { History } from './history.tsx';
import { QuestionCard } from './question-card.tsx';

export function WaitingView(): JSX.Element {
  const { store } = useConsole();
  const waiting = store.waiting.value;
  const chosen = useSignal<string | undefined>(undefined);
  const found = waiting.findIndex(({ id }) => id === chosen.value);
  const at = Math.max(0, found);
  const isChosenGone = found < 0 && chosen.value !== undefined;
  const { list, follow } = useFocusedSelection<HTMLElement>(waiting[at]?.id);
  const choose = ({ id }: Waiting): void => {
    follow();
    chosen.value = id;
  };
  useKeys('Waiting', stepKeys('waiting item', { items: waiting, at, choose }));
  return (
    <div class="waiting">
      <section class="waiting-list" aria-label="What waits for your answer" ref={list}>
        <div class="pane-head">
          <h2>
            {waiting.length === 0
              ? 'Nothing waits'
              : counted(waiting.length, 'answer wanted', 'answers wanted')}
          </h2>
        </div>
        {waiting.length === 0 && (
          <p class="empty">
            Calls that no rule decides appear here as long as this page is open, and so does what
            servers ask.
          </p>
        )}
        {waiting.map((each, index) => (
          <Card
            key={each.id}
            waiting={each}
            isChosen={index === at}
            onAnswer={follow}
            place={placeOf(waiting, index, index === at && isChosenGone)}
          />
        ))}
      </section>
      <History />
    </div>
  );
}

/** Changes when the card moves, or is selected without the user's doing. */
function placeOf(waiting: readonly Waiting[], index: number, isInstead: boolean): string {
  const above = waiting.slice(0, index).map(({ id }) => id);
  return [...above, isInstead ? 'instead' : ''].join(' ');
}

/** A client can withdraw a call while the user reaches for its button: the next call must not get that answer. */
const SEEN_MS = 700;

/** Whether the card has been at its place long enough to be seen there. */
function useSeen(place: string): boolean {
  const seen = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => {
      seen.value = place;
    }, SEEN_MS);
    return () => clearTimeout(timer);
  }, [place]);
  return seen.value === place;
}

interface CardProps {
  readonly waiting: Waiting;
  readonly isChosen: boolean;
  readonly place: string;
  readonly onAnswer: () => void;
}

function Card({ waiting, isChosen, place, onAnswer }: CardProps): JSX.Element {
  const response = useSignal<Answer<unknown> | undefined>(undefined);
  const isSeen = useSeen(place);
  const answer: AnswerHandler = async (given) => {
    if (!isSeen && (given.kind === 'allow' || given.kind === 'accept')) return;
    onAnswer();
    const answered = await post(`waiting/${encodeURIComponent(waiting.id)}`, given);
    response.value = answered;
    // A successful answer is announced by `useNews`, whoever gave it.
    if (answered.kind !== 'ok') announce(reasonOf(answered));
  };
  useEffect(() => {
    if (isChosen)
      document.getElementById(`waiting-${waiting.id}`)?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const common = { answer, isChosen, isSeen, response: response.value };
  return (
    <article
      id={`waiting-${waiting.id}`}
      class={`waiting-card ${isChosen ? 'is-chosen' : ''}`}
      tabIndex={-1}
      aria-labelledby={`waiting-title-${waiting.id}`}
      aria-current={isChosen ? 'true' : undefined}
    >
      {waiting.kind === 'approval' ? (
        <ApprovalCard approval={waiting} {...common} />
      ) : (
        <QuestionCard question={waiting} {...common} />
      )}
    </article>
  );
}
