// A form that runs a tool, resource or prompt, and its result. Problems of the form are shown first; the user can send it anyway,
// to see how the server responds.

import { useSignal } from '@preact/signals';
import type { RunOutcome, RunRequest } from '@plugboard/gateway/console-api';
import type { Json } from '@plugboard/base';
import type { ComponentChildren, JSX } from 'preact';
import type { Answer } from '../feed/request.ts';
import { SchemaForm } from '../parts/form/schema-form.tsx';
import { ResultView } from '../parts/result/result-view.tsx';
import { useConsole } from '../store/context.ts';
import { counted, duration } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { announce } from '../ui/announce.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Failure } from '../ui/failure.tsx';
import { focusSoon } from '../ui/focus.ts';
import { Icon } from '../ui/icon.tsx';
import { useKeys } from '../ui/keys.ts';
import { CALL_LOOKS, Mark } from '../ui/mark.tsx';
import { addressOf } from '../ui/route.ts';
import { commandOf } from './command-line.ts';
import type { Run } from './run.ts';

export interface RunnerProps {
  readonly run: Run;
  readonly schema: Json | undefined;
  /** The initial value of the form. */
  readonly value?: Json | undefined;
  readonly request: (value: Json | undefined) => RunRequest;
  readonly word: string;
  /** Shown beside the button. */
  readonly children?: ComponentChildren;
  readonly onOutcome?: (outcome: RunOutcome) => void;
  /** Whether the outcome is shown here. */
  readonly showsResult: boolean;
}

export function Runner(props: RunnerProps): JSX.Element {
  const { run, schema, value, request, word, children, onOutcome } = props;
  const form = run.form(schema, value);
  const problems = useSignal(0);
  const send = (): void => {
    problems.value = 0;
    void run.start(request(form.state.peek().value), word).then(({ answer }) => {
      if (answer.kind === 'ok') onOutcome?.(answer.value);
    });
  };
  const check = (): void => {
    const found = schema === undefined ? [] : form.check();
    const isBroken = form.state.peek().textProblem !== undefined;
    problems.value = found.length + Number(isBroken);
    const [first] = found;
    if (problems.value === 0) send();
    else {
      announce(`${counted(problems.value, 'problem')} in the form.`);
      if (first !== undefined) focusSoon(form.elementId(first.id));
    }
  };
  useKeys('Tools', [{ keys: 'mod+Enter', what: word, run: check }]);
  const command = commandOf(request(form.state.value.value));
  return (
    <>
      <form
        class="runner"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          check();
        }}
      >
        {schema !== undefined && <SchemaForm form={form} label="Arguments" />}
        <div class="runner-actions">
          <button type="submit" class="button button-main" disabled={run.isRunning.value}>
            <Icon name={run.isRunning.value ? 'spin' : 'play'} />
            {word}
          </button>
          {problems.value > 0 && (
            <button type="button" class="button" onClick={send}>
              {word} anyway
            </button>
          )}
          {children}
          {command !== undefined && (
            <span class="runner-command">
              <code title={command}>{command}</code>
              <CopyButton text={command} what="command" />
            </span>
          )}
        </div>
        {run.isRunning.value && <WaitingNote />}
      </form>
      {props.showsResult && <Outcome answer={run.lastRun.value?.answer} />}
    </>
  );
}

/** The call may need approval, which is given on another view. */
function WaitingNote(): JSX.Element | null {
  const { store } = useConsole();
  if (store.waiting.value.length === 0) return null;
  return (
    <p class="notice tone-busy">
      <Icon name="waiting" />
      <span class="notice-text">
        {counted(store.waiting.value.length, 'approval or question', 'approvals or questions')}{' '}
        waiting: <a href={addressOf('waiting')}>answer</a>.
      </span>
    </p>
  );
}

function Outcome({
  answer,
}: {
  readonly answer: Answer<RunOutcome> | undefined;
}): JSX.Element | null {
  if (answer === undefined) return null;
  return (
    <section class="outcome" aria-label="Result">
      {answer.kind === 'ok' ? (
        <OutcomeView outcome={answer.value} />
      ) : (
        <Failure of={answer} class="tone-bad" />
      )}
    </section>
  );
}

function OutcomeView({ outcome }: { readonly outcome: RunOutcome }): JSX.Element {
  return (
    <>
      <p class="outcome-head">
        <Mark look={CALL_LOOKS[outcome.state]} />
        <span class="faint">{duration(outcome.ms)}</span>
        <a href={addressOf('traffic', outcome.call)}>Messages</a>
        <a href={addressOf('compare', outcome.call)}>Run again and compare</a>
      </p>
      {outcome.problem !== undefined && (
        <p class="tone-bad prose">
          <Text of={outcome.problem} />
        </p>
      )}
      {outcome.result !== undefined && <ResultView result={outcome.result} />}
    </>
  );
}
