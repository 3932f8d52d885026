// Saved calls. Each can be run again, and its answer is compared with the expected one, as `plugboard check` does.

import { type Signal, useSignal } from '@preact/signals';
import { readSavedCalls, type SavedCall, writeSavedCall } from '@plugboard/base';
import type { CheckOutcome, SavedCallsView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Answer, post, reasonOf } from '../feed/request.ts';
import { useConsole } from '../store/context.ts';
import { counted, duration } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { announce } from '../ui/announce.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Icon } from '../ui/icon.tsx';
import { useKeys } from '../ui/keys.ts';
import { useLoaded } from '../ui/loaded.ts';
import { CALL_LOOKS, type Look, Mark } from '../ui/mark.tsx';
import { addressOf } from '../ui/route.ts';

const COMMAND = 'plugboard check';

type Outcome = Answer<CheckOutcome> | 'running';

const NOT_RUN: Look = { tone: 'calm', icon: 'idle', word: 'not run' };
const PASSED: Look = { tone: 'good', icon: 'check', word: 'as expected' };
const FAILED: Look = { tone: 'bad', icon: 'alert', word: 'not as expected' };

/** Keyed by the name of the saved call. */
type Outcomes = Signal<ReadonlyMap<string, Outcome>>;

export function ChecksView({ path }: { readonly path: readonly string[] }): JSX.Element {
  const { answer } = useLoaded<SavedCallsView>('checks');
  const { value } = answer;
  return (
    <section class="checks" aria-label="Saved calls">
      {value === undefined && <div class="loading" />}
      <Failure of={value} />
      {value?.kind === 'ok' && (
        <Checks
          saved={value.value}
          chosen={path[0]}
          onChange={(next) => {
            answer.value = next;
          }}
        />
      )}
    </section>
  );
}

interface ChecksProps {
  readonly saved: SavedCallsView;
  readonly chosen: string | undefined;
  readonly onChange: (next: Answer<SavedCallsView>) => void;
}

function Checks({ saved, chosen, onChange }: ChecksProps): JSX.Element {
  const { file } = saved;
  const calls = callsIn(saved);
  const outcomes: Outcomes = useSignal(new Map());
  const isBusy = useSignal(false);
  const runAll = async (): Promise<void> => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    // In sequence, since a call may change what the next one finds.
    for (const { name } of calls) await runCheck(name, outcomes);
    isBusy.value = false;
    const failed = [...outcomes.peek().values()].filter((each) => !isPassed(each)).length;
    announce(failed === 0 ? 'All as expected.' : `${failed} not as expected.`);
  };
  useKeys('Checks', [{ keys: 'r', what: 'Run all saved calls', run: () => void runAll() }]);
  if (calls.length === 0) return <NoChecks file={file} />;
  return (
    <>
      <div class="pane-head">
        <h2>{counted(calls.length, 'saved call')}</h2>
        <Summary outcomes={outcomes} />
        <span class="spacer" />
        <button
          type="button"
          class="button button-main"
          disabled={isBusy.value}
          onClick={() => void runAll()}
        >
          <Icon name={isBusy.value ? 'spin' : 'play'} />
          Run all
          <kbd aria-hidden="true">r</kbd>
        </button>
      </div>
      <ul class="check-list" role="list">
        {calls.map((call) => (
          <Check
            key={call.name}
            call={call}
            outcomes={outcomes}
            isChosen={call.name === chosen}
            onChange={onChange}
          />
        ))}
      </ul>
      <p class="checks-place faint">
        They are in <Text of={file ?? ''} />. In CI, run{' '}
        <span class="command-line">
          <code>{COMMAND}</code>
          <CopyButton text={COMMAND} what="command" />
        </span>
      </p>
    </>
  );
}

async function runCheck(name: string, outcomes: Outcomes): Promise<void> {
  const set = (outcome: Outcome): void => {
    outcomes.value = new Map(outcomes.peek()).set(name, outcome);
  };
  set('running');
  set(await post<CheckOutcome>('checks/run', { name }));
}

function isPassed(outcome: Outcome): boolean {
  return outcome !== 'running' && outcome.kind === 'ok' && outcome.value.deviations.length === 0;
}

function Summary({ outcomes }: { readonly outcomes: Outcomes }): JSX.Element | null {
  const ended = [...outcomes.value.values()].filter((each) => each !== 'running');
  if (ended.length === 0) return null;
  const failed = ended.filter((each) => !isPassed(each)).length;
  return (
    <span class={failed === 0 ? 'tone-good' : 'tone-bad'}>
      {failed === 0 ? 'all as expected' : `${failed} not as expected`}
    </span>
  );
}

interface CheckProps {
  readonly call: SavedCall;
  readonly outcomes: Outcomes;
  readonly isChosen: boolean;
  readonly onChange: (next: Answer<SavedCallsView>) => void;
}

function Check({ call, outcomes, isChosen, onChange }: CheckProps): JSX.Element {
  const { name, server } = call;
  const outcome = outcomes.value.get(name);
  useEffect(() => {
    if (isChosen) document.getElementById(`check-${name}`)?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const remove = async (): Promise<void> => {
    const answer = await post<SavedCallsView>('checks/remove', { name });
    announce(answer.kind === 'ok' ? 'Removed.' : reasonOf(answer));
    onChange(answer);
  };
  return (
    <li id={`check-${name}`} class={`saved-call-row ${isChosen ? 'is-selected' : ''}`}>
      <div class="check-head">
        <OutcomeMark outcome={outcome} />
        <b class="check-name">
          <Text of={name} />
        </b>
        <span class="faint">
          <Text of={`${server}/${targetOf(call)}`} />
        </span>
        <span class="spacer" />
        <button
          type="button"
          class="button"
          disabled={outcome === 'running'}
          aria-label={`Run ${name}`}
          onClick={() => void runCheck(name, outcomes)}
        >
          <Icon name={outcome === 'running' ? 'spin' : 'play'} />
          Run
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={`Remove ${name}`}
          onClick={() => void remove()}
        >
          <Icon name="cross" />
        </button>
      </div>
      {outcome !== undefined && outcome !== 'running' && <Result outcome={outcome} />}
      {outcome === 'running' && <WaitingNote />}
      <details class="check-details" open={isChosen}>
        <summary>What is sent and expected</summary>
        <pre class="code" tabIndex={0} role="region" aria-label="Saved call">
          <Text of={JSON.stringify(writeSavedCall(call), null, 2)} />
        </pre>
      </details>
    </li>
  );
}

function OutcomeMark({ outcome }: { readonly outcome: Outcome | undefined }): JSX.Element {
  if (outcome === undefined) return <Mark look={NOT_RUN} />;
  if (outcome === 'running') return <Mark look={CALL_LOOKS.running} />;
  return <Mark look={isPassed(outcome) ? PASSED : FAILED} />;
}

/** Shown while a check runs: if no rule decides about its call, the call waits for an approval. */
function WaitingNote(): JSX.Element | null {
  const { store } = useConsole();
  if (!store.waiting.value.some(({ client }) => client === 'console')) return null;
  return (
    <p class="tone-warn">
      It waits for an answer: <a href={addressOf('waiting')}>answer it</a>.
    </p>
  );
}

function Result({ outcome }: { readonly outcome: Answer<CheckOutcome> }): JSX.Element {
  if (outcome.kind !== 'ok') return <Failure of={outcome} class="tone-bad" />;
  const { call, ms, deviations, problem } = outcome.value;
  return (
    <div class="check-result">
      {deviations.map((words) => (
        <p key={words} class="tone-bad">
          <Text of={words} />
        </p>
      ))}
      {deviations.length > 0 && problem !== undefined && (
        <p class="faint">
          <Text of={problem} />
        </p>
      )}
      <p class="faint">
        {duration(ms)} · <a href={addressOf('traffic', call)}>messages</a> ·{' '}
        <a href={addressOf('compare', call)}>run again and compare</a>
      </p>
    </div>
  );
}

function NoChecks({ file }: { readonly file: string | undefined }): JSX.Element {
  return (
    <>
      <div class="pane-head">
        <h2>No saved calls</h2>
      </div>
      <div class="empty">
        <p>
          A saved call is a request with what its answer has to be. To save one, open a call in{' '}
          <a href={addressOf('traffic')}>the traffic</a> and choose <b>Save</b>.
        </p>
        {file === undefined ? (
          <p>
            This gateway has no file for them: start <code>plugboard console</code> in the folder of
            your project.
          </p>
        ) : (
          <p>
            They are written to <Text of={file} />, and run here or with <code>{COMMAND}</code>.
          </p>
        )}
      </div>
    </>
  );
}

function callsIn({ checks }: SavedCallsView): readonly SavedCall[] {
  const read = readSavedCalls({ checks });
  return read.ok ? read.value : [];
}

function targetOf({ what }: SavedCall): string {
  return what.kind === 'resource' ? what.uri : what.name;
}
