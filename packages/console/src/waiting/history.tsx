// What was decided here and elsewhere since the gateway started, and rules made of it.

import { useSignal } from '@preact/signals';
import type { AnsweredView, ApprovalView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useConsole } from '../store/context.ts';
import { timeOf } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { useLoaded } from '../ui/loaded.ts';
import { RuleDialog } from './rule-dialog.tsx';

const WORDS: Readonly<
  Record<AnsweredView['answer'], { readonly word: string; readonly tone: string }>
> = {
  allow: { word: 'allowed', tone: 'good' },
  accept: { word: 'answered', tone: 'good' },
  deny: { word: 'denied', tone: 'bad' },
  decline: { word: 'declined', tone: 'bad' },
  cancel: { word: 'cancelled', tone: 'calm' },
  gone: { word: 'not answered', tone: 'calm' },
};

export function History(): JSX.Element {
  const { store } = useConsole();
  const { answer, reload } = useLoaded<readonly AnsweredView[]>('answered');
  const making = useSignal<AnsweredView | undefined>(undefined);
  useEffect(() => void reload(), [store.answered.value]);
  const answered = answer.value?.kind === 'ok' ? answer.value.value : [];
  const isAdministrator = store.gateway.value?.isAdministrator === true;
  return (
    <section class="waiting-history" aria-label="What was decided">
      <div class="pane-head">
        <h2>Decided</h2>
      </div>
      {answered.length === 0 && <p class="empty">Nothing yet, since the gateway started.</p>}
      <ul role="list">
        {answered.map((each) => (
          <li key={each.waiting.id} class="decided">
            <time class="faint">{timeOf(each.at)}</time>
            <span class={`tone-${WORDS[each.answer].tone}`}>{WORDS[each.answer].word}</span>
            <span class="decided-what">
              <Text of={whatOf(each)} />
              <span class="faint">
                {' for '}
                <Text of={each.waiting.client} />
                {each.by !== undefined && (
                  <>
                    {' by '}
                    <Text of={each.by} />
                  </>
                )}
                {each.remember !== undefined && each.remember !== 'once' && `, ${each.remember}`}
              </span>
            </span>
            {isAdministrator && each.waiting.kind === 'approval' && (
              <button
                type="button"
                class="button"
                onClick={() => {
                  making.value = each;
                }}
              >
                Make a rule of this
              </button>
            )}
          </li>
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

function whatOf({ waiting }: AnsweredView): string {
  return waiting.kind === 'approval'
    ? `${waiting.server}/${waiting.tool}`
    : `${waiting.server}: ${waiting.message}`;
}
