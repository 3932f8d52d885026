// Saves a recorded call with an expectation of its answer, for `plugboard check`. While the user edits the expectation, the
// dialog shows whether the recorded answer would pass.

import { type Signal, useSignal } from '@preact/signals';
import {
  deviations,
  type Deviation,
  err,
  type Expectation,
  parseJson,
  readExpectation,
  type Result,
  type SavedRequest,
  writeSavedCall,
} from '@plugboard/base';
import type { CallDetail, SavedCallsView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { type Answer, post, reasonOf } from '../feed/request.ts';
import { counted } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { announce } from '../ui/announce.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { useLoaded } from '../ui/loaded.ts';
import { answerOf, proposedExpectation } from './proposed-check.ts';

const LIMITS = { maxLength: 1024 * 1024, maxDepth: 100 };
const HIDDEN = '(hidden)';

export interface SaveCallProps {
  readonly call: CallDetail;
  readonly server: string;
  readonly request: SavedRequest;
  readonly onClose: () => void;
}

export function SaveCall({ call, server, request, onClose }: SaveCallProps): JSX.Element {
  const name = useSignal(`${server} ${call.subject ?? ''}`.trim());
  const text = useSignal(textOf(proposedExpectation(call), request));
  const saved = useSignal<Answer<SavedCallsView> | undefined>(undefined);
  const { answer: place } = useLoaded<SavedCallsView>('checks');
  const isPlace = place.value?.kind === 'ok' && place.value.value.file !== undefined;
  const expected = expectationIn(text.value);
  const found = expected.ok ? deviations(expected.value, answerOf(call)) : [];
  const written = expected.ok
    ? writeSavedCall({ name: name.value, server, what: request, expect: expected.value })
    : undefined;
  const save = async (): Promise<void> => {
    if (written === undefined) return;
    const answer = await post<SavedCallsView>('checks', written);
    saved.value = answer;
    announce(answer.kind === 'ok' ? 'Saved.' : reasonOf(answer));
  };
  return (
    <Dialog label="Save this call" kind="save-call" onClose={onClose}>
      <h2>Save this call</h2>
      <form
        class="save-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Fields name={name} text={text} />
        <Verdict expected={expected} found={found} />
        {JSON.stringify(request).includes(HIDDEN) && (
          <p class="tone-warn">A secret in its arguments is hidden, and was left out.</p>
        )}
        <div class="runner-actions">
          <button
            type="submit"
            class="button button-main"
            disabled={written === undefined || !isPlace}
          >
            Save
          </button>
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
          {written !== undefined && (
            <CopyButton text={JSON.stringify(written, undefined, 2)} what="saved call" />
          )}
        </div>
        <SaveResult answer={saved.value} place={place.value} />
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  readonly name: Signal<string>;
  readonly text: Signal<string>;
}

function Fields({ name, text }: FieldsProps): JSX.Element {
  return (
    <>
      <label class="save-field">
        Name
        <input
          class="field"
          required
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
      </label>
      <label class="save-field">
        What has to hold
        <textarea
          class="field save-text"
          rows={12}
          spellcheck={false}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      </label>
    </>
  );
}

/** The expectation as it is written to the file. */
function textOf(expect: Expectation, what: SavedRequest): string {
  const { expect: written } = writeSavedCall({ name: '', server: '', what, expect });
  return JSON.stringify(written, undefined, 2);
}

function expectationIn(text: string): Result<Expectation, string> {
  const parsed = parseJson(text, LIMITS);
  if (!parsed.ok) return err('This is not JSON.');
  const read = readExpectation(parsed.value);
  return read.ok ? read : err(`${read.error.at} ${read.error.reason}`.trim());
}

interface VerdictProps {
  readonly expected: Result<Expectation, string>;
  readonly found: readonly Deviation[];
}

function Verdict({ expected, found }: VerdictProps): JSX.Element {
  if (!expected.ok) {
    return (
      <p class="tone-bad" role="status">
        <Text of={expected.error} />
      </p>
    );
  }
  return (
    <p class={found.length === 0 ? 'tone-good' : 'tone-bad'} role="status">
      {found.length === 0
        ? 'The recorded answer passes.'
        : `The recorded answer fails ${counted(found.length, 'of these')}: ${found.map(placeOf).join(', ')}`}
    </p>
  );
}

function placeOf(deviation: Deviation): string {
  return deviation.kind === 'value' ? deviation.check.at || 'the result' : deviation.kind;
}

interface SaveResultProps {
  readonly answer: Answer<SavedCallsView> | undefined;
  /** The saved calls, with the file that they are in. */
  readonly place: Answer<SavedCallsView> | undefined;
}

function SaveResult({ answer, place }: SaveResultProps): JSX.Element | null {
  const shown = answer ?? place;
  if (shown === undefined) return null;
  if (shown.kind !== 'ok') return <Failure of={shown} class="tone-bad" />;
  const { file, checks } = shown.value;
  if (file === undefined) {
    return (
      <p class="tone-warn">
        This gateway has no file for saved calls. Start <code>plugboard console</code> in the folder
        of your project, or copy the call from here.
      </p>
    );
  }
  return (
    <p>
      {answer === undefined ? 'There are' : 'Saved:'} {counted(checks.length, 'call')} in{' '}
      <Text of={file} />. Run them with <code>plugboard check</code>.
    </p>
  );
}
