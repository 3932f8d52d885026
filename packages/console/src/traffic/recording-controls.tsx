// Exports the shown calls as a file, and opens such a file.

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { count } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { announce } from '../ui/announce.tsx';
import { goTo } from '../ui/route.ts';
import {
  closeRecording,
  exportCalls,
  openedRecording,
  openRecording,
} from '../recording/recording.ts';
import type { ShownCalls } from './shown-calls.ts';

export function RecordingControls({ shown }: { readonly shown: ShownCalls }): JSX.Element {
  const progress = useSignal<number | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const say = (words: string | undefined): void => {
    if (words !== undefined) announce(words);
    problem.value = words;
  };
  const save = async (): Promise<void> => {
    say(undefined);
    progress.value = 0;
    const ids = new Set(shown.calls.peek().map(({ call }) => call.id));
    const made = await exportCalls(ids, (many) => {
      progress.value = many;
    });
    progress.value = undefined;
    if (made instanceof Blob) download(made);
    else say(made.reason);
  };
  const open = async (file: File): Promise<void> => {
    say(await openRecording(file));
    goTo('traffic');
  };
  return (
    <>
      {problem.value !== undefined && <span class="tone-bad">{problem.value}</span>}
      {openedRecording.value === undefined && (
        <button
          type="button"
          class="button"
          disabled={progress.value !== undefined || shown.calls.value.length === 0}
          title="Save the calls that are shown as one file, with secrets hidden"
          onClick={() => void save()}
        >
          {progress.value === undefined ? 'Export' : `Exporting ${count(progress.value)}…`}
        </button>
      )}
      <OpenButton onFile={open} />
    </>
  );
}

function OpenButton({ onFile }: { readonly onFile: (file: File) => Promise<void> }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="button"
        aria-label="Open a recording"
        title="Open a recording that was exported"
        onClick={() => input.current?.click()}
      >
        Open…
      </button>
      <input
        ref={input}
        type="file"
        class="unseen"
        aria-label="File of a recording"
        tabIndex={-1}
        accept=".jsonl,.ndjson"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) void onFile(file);
          // So that the same file can be opened again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** Says that the page shows a recording and nothing live. */
export function RecordingNote(): JSX.Element | null {
  const recording = openedRecording.value;
  if (recording === undefined) return null;
  return (
    <p class="notice tone-busy recording-note">
      <span class="notice-text">
        This is the recording <Text of={recording.name} />, and not what happens now.
      </span>
      <button
        type="button"
        class="button"
        onClick={() => {
          closeRecording();
          goTo('traffic');
        }}
      >
        Close it
      </button>
    </p>
  );
}

function download(blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = `plugboard-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.jsonl`;
  link.click();
  URL.revokeObjectURL(url);
}
