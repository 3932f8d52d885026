// Runs a recorded call again, unchanged or edited, and compares the two answers; or compares two recorded calls.

import { useSignal } from '@preact/signals';
import type {
  CallDetail,
  CallView,
  RunOutcome,
  ServerDetail,
} from '@plugboard/gateway/console-api';
import { isObject, type Json } from '@plugboard/base';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { JsonDiffView } from '../parts/diff/diff-view.tsx';
import { JsonTree } from '../parts/result/json-tree.tsx';
import { ResultView } from '../parts/result/result-view.tsx';
import { useConsole } from '../store/context.ts';
import { duration, timeOf } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { Failure } from '../ui/failure.tsx';
import { Icon } from '../ui/icon.tsx';
import { useLoaded } from '../ui/loaded.ts';
import { CALL_LOOKS, Mark } from '../ui/mark.tsx';
import { addressOf } from '../ui/route.ts';
import { Run } from '../tools/run.ts';
import { Runner } from '../tools/runner.tsx';
import { useCallDetail } from '../recording/call-detail.ts';
import {
  comparable,
  isRepeatable,
  type RecordedResult,
  requestOf,
  resultOf,
} from './recorded-call.ts';

export function CompareView({ path }: { readonly path: readonly string[] }): JSX.Element {
  const [first, second] = path;
  if (first === undefined) return <CallChoice />;
  return <Comparison key={`${first} ${second}`} first={first} second={second} />;
}

const MOST_OFFERED = 200;

function CallChoice(): JSX.Element {
  const calls = useNewestCalls().filter(isRepeatable);
  return (
    <section class="compare" aria-label="Calls that can be run again">
      <div class="pane-head">
        <h2>Choose a call to run again</h2>
      </div>
      {calls.length === 0 && (
        <p class="empty">Nothing is recorded yet. Calls of clients and of this page appear here.</p>
      )}
      <ul class="offer-list" role="list">
        {calls.map((call) => (
          <li key={call.id}>
            <a class="offer" href={addressOf('compare', call.id)}>
              <CallWords call={call} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The newest calls, recorded before or after the page was opened. */
function useNewestCalls(): readonly CallView[] {
  const { store } = useConsole();
  const { answer } = useLoaded<readonly CallView[]>(`calls?limit=${MOST_OFFERED}`);
  const calls = new Map<string, CallView>();
  if (answer.value?.kind === 'ok') for (const call of answer.value.value) calls.set(call.id, call);
  // Reading the signal redraws the component for each new call.
  if (store.calls.version.value > 0) {
    for (const { call } of store.calls.calls.slice(-MOST_OFFERED)) calls.set(call.id, call);
  }
  return [...calls.values()].toSorted((a, b) => b.at - a.at).slice(0, MOST_OFFERED);
}

function titleOf({ server, subject, method }: CallView): string {
  const what = subject ?? method;
  return server === undefined ? what : `${server}/${what}`;
}

function CallWords({ call }: { readonly call: CallView }): JSX.Element {
  return (
    <span class="call-words">
      <Mark look={CALL_LOOKS[call.state]} />
      <b>
        <Text of={titleOf(call)} />
      </b>
      <span class="faint">
        {timeOf(call.at)} · <Text of={call.clientName} />
        {call.ms !== undefined && ` · ${duration(call.ms)}`}
      </span>
    </span>
  );
}

interface ComparisonProps {
  readonly first: string;
  readonly second: string | undefined;
}

function Comparison({ first, second }: ComparisonProps): JSX.Element {
  const { value: call } = useCallDetail(first);
  if (call === undefined) return <div class="loading" />;
  if (call.kind !== 'ok') return <Failure of={call} />;
  return (
    <section class="compare" aria-label="Run again and compare">
      <div class="pane-head">
        <a class="icon-button back" href={addressOf('compare')} aria-label="Choose another call">
          <Icon name="back" />
        </a>
        <h2>
          <Text of={titleOf(call.value)} />
        </h2>
        <a href={addressOf('traffic', first)}>Messages</a>
      </div>
      {second === undefined ? (
        <Replay call={call.value} />
      ) : (
        <RecordedComparison call={call.value} second={second} />
      )}
    </section>
  );
}

function RecordedComparison({
  call,
  second,
}: {
  readonly call: CallDetail;
  readonly second: string;
}): JSX.Element {
  const { value: other } = useCallDetail(second);
  if (other === undefined) return <div class="loading" />;
  if (other.kind !== 'ok') return <Failure of={other} />;
  return (
    <TwoResults
      before={{ title: 'Recorded', call, result: resultOf(call) }}
      after={{ title: 'Compared with', call: other.value, result: resultOf(other.value) }}
    />
  );
}

function Replay({ call }: { readonly call: CallDetail }): JSX.Element {
  const outcome = useSignal<RunOutcome | undefined>(undefined);
  const request = requestOf(call);
  const before: Side = { title: 'Recorded', call, result: resultOf(call) };
  if (request === undefined) {
    return (
      <>
        <p class="notice tone-warn">
          <Icon name="alert" />
          <span class="notice-text">
            This call cannot be run again: what it asked for was not kept.
          </span>
        </p>
        <OneResult side={before} />
      </>
    );
  }
  const given = request.kind === 'resource' ? undefined : request.arguments;
  return (
    <>
      <div class="item-body">
        <ReplayForm
          call={call}
          value={given}
          request={(value) =>
            request.kind === 'resource'
              ? request
              : { ...request, arguments: isObject(value) ? value : {} }
          }
          onOutcome={(next) => {
            outcome.value = next;
          }}
        />
      </div>
      {outcome.value === undefined ? (
        <OneResult side={before} />
      ) : (
        <TwoResults
          before={before}
          after={{ title: 'Run again', call: outcome.value, result: outcomeResult(outcome.value) }}
        />
      )}
    </>
  );
}

interface ReplayFormProps {
  readonly call: CallDetail;
  readonly value: Json | undefined;
  readonly request: Parameters<typeof Runner>[0]['request'];
  readonly onOutcome: (outcome: RunOutcome) => void;
}

/** Has the fields of the tool's schema if the tool still exists. */
function ReplayForm({ call, value, request, onOutcome }: ReplayFormProps): JSX.Element {
  const { answer } = useLoaded<ServerDetail>(`servers/${encodeURIComponent(call.server ?? '')}`);
  const run = useMemo(() => new Run(), [call.id]);
  if (answer.value === undefined) return <div class="loading" />;
  const tools = answer.value.kind === 'ok' ? answer.value.value.toolList : [];
  const tool =
    call.method === 'tools/call' ? tools.find(({ name }) => name === call.subject) : undefined;
  return (
    <Runner
      run={run}
      schema={value === undefined ? undefined : (tool?.inputSchema ?? { type: 'object' })}
      value={value}
      request={request}
      word="Run again"
      showsResult={false}
      onOutcome={onOutcome}
    />
  );
}

function outcomeResult({ result, problem }: RunOutcome): RecordedResult {
  if (result !== undefined) return { kind: 'result', result };
  return { kind: 'error', error: problem ?? 'There is no result.' };
}

interface Side {
  readonly title: string;
  readonly call: Pick<CallView, 'state' | 'ms'>;
  readonly result: RecordedResult;
}

function OneResult({ side }: { readonly side: Side }): JSX.Element {
  return (
    <section class="compare-side" aria-label={side.title}>
      <h3 class="outcome-head">
        {side.title} <Mark look={CALL_LOOKS[side.call.state]} />
        {side.call.ms !== undefined && <span class="faint">{duration(side.call.ms)}</span>}
      </h3>
      <SideResult result={side.result} />
    </section>
  );
}

function SideResult({ result }: { readonly result: RecordedResult }): JSX.Element {
  switch (result.kind) {
    case 'result':
      return <ResultView result={result.result} />;
    case 'error':
      return <JsonTree value={result.error} label="Error" />;
    case 'unknown':
      return <p class="faint">{result.reason}</p>;
    default:
      return result satisfies never;
  }
}

function TwoResults({
  before,
  after,
}: {
  readonly before: Side;
  readonly after: Side;
}): JSX.Element {
  const canCompare = before.result.kind !== 'unknown' && after.result.kind !== 'unknown';
  return (
    <>
      {canCompare && (
        <section class="compare-side" aria-label="Differences">
          <h3>Differences</h3>
          <JsonDiffView
            before={comparable(before.result)}
            after={comparable(after.result)}
            label="Differences of the results"
          />
        </section>
      )}
      <div class="compare-sides">
        <OneResult side={before} />
        <OneResult side={after} />
      </div>
    </>
  );
}
