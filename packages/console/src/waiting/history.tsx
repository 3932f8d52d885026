// The decisions since the gateway started, made here or elsewhere, with a button to make rules of them.

import { useSignal } from '@preact/signals';
import type { AnsweredView, ApprovalView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useConsole } from '../store/context.ts';
import { timeOf } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { useLoaded } from '../ui/loaded.ts';
import { addressOf } from '../ui/route.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { ANSWERS } from './words.ts';

const REMEMBERED: Readonly<Record<NonNullable<AnsweredView['remember']>, string>> = {
  once: '',
  script: ', for its script',
  session: ', until the gateway stops',
  always: ', always',
};

export function History(): JSX.Element {
  const { store } = useConsole();
  const { answer, reload } = useLoaded<readonly AnsweredView[]>('answered');
  const making = useSignal<AnsweredView | undefined>(undefined);
  useEffect(() => void reload(), [store.answered.value]);
  const answered = answer.value?.kind === 'ok' ? answer.value.value : [];
  return (
    <section class="waiting-history" aria-label="What was decided">
      <div class="pane-head">
        <h2>Decided</h2>
      </div>
      {answered.length === 0 && <p class="empty">Nothing yet, since the gateway started.</p>}
      <ul class="decided-list" role="list">
        {answered.map((each) => (
          <DecisionRow
            key={each.waiting.id}
            decided={each}
            onRule={
              store.isAdministrator && each.waiting.kind === 'approval'
                ? () => {
                    making.value = each;
                  }
                : undefined
            }
          />
        ))}
      </ul>
      {making.value !== undefined && (
        <RuleDialog
          call={making.value.waiting as ApprovalView}
          effect={making.value.answer === 'allow' ? 'allow' : 'deny'}
          onClose={() => {
            making.value = undefined;
          }}
        />
      )}
    </section>
  );
}

interface DecisionRowProps {
  readonly decided: AnsweredView;
  /** `undefined` if no rule can be made of the decision. */
  readonly onRule: (() => void) | undefined;
}

function DecisionRow({ decided, onRule }: DecisionRowProps): JSX.Element {
  const { waiting, answer, at, by, remember } = decided;
  const { word, tone } = ANSWERS[answer];
  return (
    <li class="decided">
      <time class="faint">{timeOf(at)}</time>
      <span class={`decided-word tone-${tone}`}>{word}</span>
      <span class="decided-what">
        <Text of={whatOf(decided)} />
        <span class="faint">
          {' for '}
          <Text of={waiting.client} />
          {by !== undefined && (
            <>
              {' by '}
              <Text of={by} />
            </>
          )}
          {remember !== undefined && REMEMBERED[remember]}
        </span>
      </span>
      {waiting.call !== undefined && <a href={addressOf('traffic', waiting.call)}>Messages</a>}
      {onRule !== undefined && (
        <button type="button" class="button" onClick={onRule}>
          Make a rule of this
        </button>
      )}
    </li>
  );
}

function whatOf({ waiting }: AnsweredView): string {
  return waiting.kind === 'approval'
    ? `${waiting.server}/${waiting.tool}`
    : `${waiting.server}: ${waiting.message}`;
}
