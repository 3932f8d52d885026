// The details of a call beside the list: its facts, the permission decision, the hooks that ran, and its messages on both hops.

import { useSignal } from '@preact/signals';
import type { CallDetail, DecisionView, HookView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { savedRequestOf } from '../compare/proposed-check.ts';
import { isRepeatable, requestOf } from '../compare/recorded-call.ts';
import { SaveCall } from '../compare/save-call.tsx';
import { useConsole } from '../store/context.ts';
import { count, counted, dayAndTime, duration, size } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fact } from '../ui/fact.tsx';
import { Failure } from '../ui/failure.tsx';
import { Icon } from '../ui/icon.tsx';
import { CALL_LOOKS, EraBadge, Mark } from '../ui/mark.tsx';
import { addressOf } from '../ui/route.ts';
import { toolOf } from './call-filter.ts';
import { useCallDetail } from '../recording/call-detail.ts';
import { RuleDialog } from '../waiting/rule-dialog.tsx';
import { MessageList } from './message-list.tsx';

export function CallDetails({ id }: { readonly id: string }): JSX.Element {
  const { value } = useCallDetail(id);
  return (
    <>
      <div class="pane-head">
        <a class="icon-button back" href={addressOf('traffic')} aria-label="Close the details">
          <Icon name="back" />
        </a>
        <h2>
          {value?.kind === 'ok' ? <Text of={toolOf(value.value).slice(0, 200)} /> : `Call ${id}`}
        </h2>
        {value?.kind === 'ok' && <Mark look={CALL_LOOKS[value.value.state]} />}
        <span class="spacer" />
        {value?.kind === 'ok' && <Actions call={value.value} />}
      </div>
      {value === undefined && <div class="loading" />}
      <Failure of={value} />
      {value?.kind === 'ok' && <CallBody call={value.value} />}
    </>
  );
}

function Actions({ call }: { readonly call: CallDetail }): JSX.Element {
  const isSaving = useSignal(false);
  const request = call.ms === undefined ? undefined : savedRequestOf(call);
  return (
    <>
      {isRepeatable(call) && call.ms !== undefined && (
        <a class="button" href={addressOf('compare', call.id)}>
          <Icon name="restart" />
          Run again
        </a>
      )}
      {request !== undefined && (
        <button
          type="button"
          class="button"
          onClick={() => {
            isSaving.value = true;
          }}
        >
          Save
        </button>
      )}
      {isSaving.value && request !== undefined && (
        <SaveCall
          call={call}
          server={call.server ?? ''}
          request={request}
          onClose={() => {
            isSaving.value = false;
          }}
        />
      )}
      <CopyButton text={JSON.stringify(call, undefined, 2)} what="call as JSON" />
    </>
  );
}

function CallBody({ call }: { readonly call: CallDetail }): JSX.Element {
  return (
    <div class="call-body">
      {call.problem !== undefined && (
        <p class="notice tone-bad">
          <Icon name="alert" />
          <span class="notice-text">
            <Text of={call.problem} />
          </span>
        </p>
      )}
      <WaitingNote call={call} />
      <Facts call={call} />
      <Decision call={call} />
      <Hooks hooks={call.hooks} />
      <MessageList call={call} />
    </div>
  );
}

/** Says that the call waits for an answer. */
function WaitingNote({ call }: { readonly call: CallDetail }): JSX.Element | null {
  const { store } = useConsole();
  if (!store.waiting.value.some((each) => each.call === call.id)) return null;
  return (
    <p class="notice tone-warn">
      <Icon name="waiting" />
      <span class="notice-text">
        It waits for an answer: <a href={addressOf('waiting')}>answer it</a>.
      </span>
    </p>
  );
}

function Facts({ call }: { readonly call: CallDetail }): JSX.Element {
  return (
    <dl class="facts">
      <Fact name="Client">
        <Text of={call.clientName} /> <EraBadge era={call.clientEra} />
      </Fact>
      <Fact name="Server">
        {call.server === undefined ? (
          'the gateway itself'
        ) : (
          <>
            <a href={addressOf('servers', call.server)}>
              <Text of={call.server} />
            </a>{' '}
            {call.serverEra !== undefined && <EraBadge era={call.serverEra} />}
          </>
        )}
      </Fact>
      <Fact name="Method">
        <code>
          <Text of={call.method} />
        </code>
      </Fact>
      <Fact name="Began">{dayAndTime(call.at)}</Fact>
      <Fact name="Took">{call.ms === undefined ? 'still running' : duration(call.ms)}</Fact>
      <Fact name="Messages">
        {counted(call.messages, 'message')}, {size(call.bytes)}
      </Fact>
      {call.attempts > 1 && <Fact name="Sent to the server">{count(call.attempts)} times</Fact>}
      {call.replayOf !== undefined && (
        <Fact name="Repeats">
          <a href={addressOf('traffic', call.replayOf)}>call {call.replayOf}</a>
        </Fact>
      )}
    </dl>
  );
}

const ANSWERS: Readonly<Record<NonNullable<DecisionView['answer']>, string>> = {
  allowed: 'a person allowed it',
  denied: 'a person denied it',
  unanswered: 'no person answered',
  'allowed-before': 'allowed by an earlier answer',
};

const KINDS: Readonly<Record<DecisionView['kind'], string>> = {
  allow: 'Allowed',
  ask: 'Asked',
  deny: 'Denied',
};

function Decision({ call }: { readonly call: CallDetail }): JSX.Element | null {
  const { store } = useConsole();
  if (call.decision === undefined) return null;
  const { kind, rule, source, reason, answer } = call.decision;
  return (
    <section class="call-part" aria-label="Decision">
      <h3>Decision</h3>
      <p>
        <Icon name="shield" /> <b>{KINDS[kind]}</b>
        {answer !== undefined && `: ${ANSWERS[answer]}`} · <Text of={reason} />
      </p>
      {rule !== undefined && (
        <p>
          <code>
            <Text of={rule} />
          </code>
        </p>
      )}
      {source !== undefined && (
        <p class="faint">
          <Text of={source} />
        </p>
      )}
      {store.isAdministrator && <MakeRule call={call} />}
    </section>
  );
}

/** Only for tool calls whose arguments were recorded. */
function MakeRule({ call }: { readonly call: CallDetail }): JSX.Element | null {
  const isMaking = useSignal(false);
  const request = requestOf(call);
  if (request?.kind !== 'tool') return null;
  return (
    <>
      <button
        type="button"
        class="button call-rule"
        onClick={() => {
          isMaking.value = true;
        }}
      >
        Make a rule of this
      </button>
      {isMaking.value && (
        <RuleDialog
          call={request}
          effect={call.state === 'denied' ? 'allow' : 'deny'}
          onClose={() => {
            isMaking.value = false;
          }}
        />
      )}
    </>
  );
}

function Hooks({ hooks }: { readonly hooks: readonly HookView[] }): JSX.Element | null {
  if (hooks.length === 0) return null;
  return (
    <section class="call-part" aria-label="Hooks">
      <h3>{counted(hooks.length, 'hook')}</h3>
      <ul role="list">
        {hooks.map((hook, index) => (
          <li key={index}>
            <code>
              <Text of={hook.event} />
            </code>{' '}
            {duration(hook.ms)} · <Text of={hook.outcome} />{' '}
            <span class="faint">
              <Text of={hook.name} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
