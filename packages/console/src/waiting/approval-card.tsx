// The card of a call that needs approval: the tool, the arguments, the script, and the answers.

import { useSignal } from '@preact/signals';
import type { ApprovalView, RuleWish, WaitingView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { type Answer, post } from '../feed/request.ts';
import { LongText } from '../parts/result/long-text.tsx';
import { useConsole } from '../store/context.ts';
import { Text } from '../text/text.tsx';
import { Failure } from '../ui/failure.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useKeys } from '../ui/keys.ts';
import { type AnswerHandler, CardHead } from './card-head.tsx';
import { RuleDialog } from './rule-dialog.tsx';

interface ApprovalCardProps {
  readonly approval: ApprovalView;
  readonly answer: AnswerHandler;
  readonly isChosen: boolean;
  readonly isSeen: boolean;
  readonly response: Answer<unknown> | undefined;
}

interface Choice {
  readonly key: string;
  readonly title: string;
  readonly icon: IconName;
  readonly isMain?: boolean;
  readonly isOff?: boolean;
  readonly run: () => void;
}

type Remember = ApprovalView['offers'][number];

const REMEMBER: Readonly<Record<Remember, Pick<Choice, 'key' | 'title'>>> = {
  once: { key: 'a', title: 'Allow once' },
  script: { key: 'i', title: 'Allow for this script' },
  session: { key: 's', title: 'Allow until the gateway stops' },
  always: { key: 'w', title: 'Allow always…' },
};

export function ApprovalCard(props: ApprovalCardProps): JSX.Element {
  const { approval, answer, isChosen, isSeen, response } = props;
  const { store } = useConsole();
  const isMaking = useSignal(false);
  const offers = approval.offers.filter((each) => store.isAdministrator || each === 'once');
  const choices: readonly Choice[] = [
    ...offers.map((remember): Choice => ({
      ...REMEMBER[remember],
      icon: 'check',
      isMain: remember === 'once',
      isOff: !isSeen,
      run: () => {
        // The dialog shows the rule before it is written.
        if (remember === 'always') isMaking.value = isSeen;
        else void answer({ kind: 'allow', remember });
      },
    })),
    { key: 'd', title: 'Deny', icon: 'blocked', run: () => void answer({ kind: 'deny' }) },
  ];
  return (
    <>
      <CardHead waiting={approval}>
        Run <Text of={approval.tool} /> of <Text of={approval.server} />?
      </CardHead>
      <p class="faint">
        Asked because: <Text of={approval.reason} />
      </p>
      <div class="waiting-what">
        {Object.keys(approval.arguments).length === 0 ? (
          <p class="faint">Without arguments.</p>
        ) : (
          <pre class="result-text" tabIndex={0} role="region" aria-label="Arguments">
            <LongText of={JSON.stringify(approval.arguments, null, 2)} />
          </pre>
        )}
      </div>
      {approval.script !== undefined && <Script script={approval.script} />}
      <Choices choices={choices} />
      <Failure of={response} class="tone-bad" />
      {isChosen && <ChoiceKeys choices={choices} />}
      {isMaking.value && (
        <RuleDialog
          call={approval}
          effect="allow"
          onClose={() => {
            isMaking.value = false;
          }}
          onWritten={(rule) => void answerByRule(rule, store.waiting.peek(), approval)}
        />
      )}
    </>
  );
}

/**
 * Answers what already waits according to a new rule: the call of the rule, and for a rule about the whole tool, its other calls
 * too.
 */
async function answerByRule(
  rule: RuleWish,
  waiting: readonly WaitingView[],
  { id, server, tool }: ApprovalView,
): Promise<void> {
  if (rule.effect === 'ask') return;
  const isOfAll = rule.arguments === undefined;
  const answered = waiting.filter(
    (each) =>
      each.kind === 'approval' &&
      (each.id === id || (isOfAll && each.server === server && each.tool === tool)),
  );
  const answer = rule.effect === 'allow' ? { kind: 'allow', remember: 'once' } : { kind: 'deny' };
  for (const each of answered) await post(`waiting/${encodeURIComponent(each.id)}`, answer);
}

function Script({ script }: { readonly script: NonNullable<ApprovalView['script']> }): JSX.Element {
  return (
    <details class="waiting-script" open>
      <summary>
        By the script <Text of={script.name} />
      </summary>
      <pre class="code" tabIndex={0} role="region" aria-label="Code of the script">
        <Text of={script.code} />
      </pre>
    </details>
  );
}

function Choices({ choices }: { readonly choices: readonly Choice[] }): JSX.Element {
  return (
    <div class="waiting-actions">
      {choices.map(({ key, title, icon, isMain, isOff, run }) => (
        <button
          key={key}
          type="button"
          class={`button ${isMain === true ? 'button-main' : ''}`}
          disabled={isOff === true}
          onClick={run}
        >
          <Icon name={icon} />
          {title}
          <kbd aria-hidden="true">{key}</kbd>
        </button>
      ))}
    </div>
  );
}

/** Only the selected card has keys. */
function ChoiceKeys({ choices }: { readonly choices: readonly Choice[] }): null {
  useKeys(
    'The chosen call',
    choices.map(({ key, title, run }) => ({ keys: key, what: title, run })),
  );
  return null;
}
