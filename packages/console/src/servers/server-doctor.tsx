// Examines why a server does not work: the steps of connecting to it, up to the failed one.

import { useSignal } from '@preact/signals';
import type { DoctorReport, ServerView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { type Answer, post, reasonOf } from '../feed/request.ts';
import { Text } from '../text/text.tsx';
import { announce } from '../ui/announce.tsx';
import { Failure } from '../ui/failure.tsx';
import { Icon } from '../ui/icon.tsx';

export function ServerDoctor({ server }: { readonly server: ServerView }): JSX.Element {
  const isBusy = useSignal(false);
  const answer = useSignal<Answer<DoctorReport> | undefined>(undefined);
  const examine = async (): Promise<void> => {
    isBusy.value = true;
    answer.value = await post<DoctorReport>(
      `servers/${encodeURIComponent(server.name)}/doctor`,
      {},
    );
    isBusy.value = false;
    const { value: response } = answer;
    if (response.kind !== 'ok') announce(reasonOf(response));
    else announce(response.value.works ? 'The server works.' : 'The server does not work.');
  };
  return (
    <div class="doctor">
      <p class="faint">
        Connects again and checks every step. Running requests may be interrupted.
      </p>
      <button
        type="button"
        class="button button-main"
        disabled={isBusy.value}
        onClick={() => void examine()}
      >
        <Icon name={isBusy.value ? 'spin' : 'pulse'} />
        Examine
      </button>
      <Failure of={answer.value} class="tone-bad" />
      {answer.value?.kind === 'ok' && <Report name={server.name} report={answer.value.value} />}
    </div>
  );
}

function Report({
  name,
  report,
}: {
  readonly name: string;
  readonly report: DoctorReport;
}): JSX.Element {
  const { works, steps, problem, command } = report;
  return (
    <section class="doctor-report" aria-label="Report">
      <h3>{works ? 'The server works.' : 'The server does not work.'}</h3>
      <ol class="doctor-steps">
        {steps.map(({ step, state, detail }) => (
          <li key={step} class={`doctor-step tone-${state === 'ok' ? 'good' : 'bad'}`}>
            <Icon name={state === 'ok' ? 'check' : 'cross'} />
            <span class="doctor-name">{step}</span>
            <span class="unseen">{state}</span>
            <span class="doctor-detail">
              <Text of={detail} />
            </span>
          </li>
        ))}
      </ol>
      {problem !== undefined && (
        <pre class="doctor-problem" tabIndex={0} role="region" aria-label="Problem">
          <Text of={`${name} ${problem}`} />
        </pre>
      )}
      {command !== undefined && (
        <p class="faint">
          In a terminal: <code>{command}</code>
        </p>
      )}
    </section>
  );
}
