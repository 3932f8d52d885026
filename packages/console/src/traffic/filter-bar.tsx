// The fields that filter the calls.

import type { Signal } from '@preact/signals';
import type { JSX, Ref } from 'preact';
import { visible } from '../text/visible.ts';
import { CALL_LOOKS } from '../ui/mark.tsx';
import {
  type CallFilter,
  durationRange,
  type FilterChoices,
  isFiltered,
  NO_FILTER,
  type Outcome,
} from './call-filter.ts';

export interface FilterBarProps {
  readonly filter: Signal<CallFilter>;
  readonly choices: FilterChoices;
  readonly search: Ref<HTMLInputElement>;
}

const OUTCOMES: readonly (readonly [Outcome, string])[] = [
  ['any', 'Any outcome'],
  ['failed', 'Failed or denied'],
  ...(Object.entries(CALL_LOOKS) as [keyof typeof CALL_LOOKS, { word: string }][]).map(
    ([state, { word }]): readonly [Outcome, string] => [state, word],
  ),
];

export function FilterBar({ filter, choices, search }: FilterBarProps): JSX.Element {
  const set = (change: Partial<CallFilter>): void => {
    filter.value = { ...filter.peek(), ...change };
  };
  const { value } = filter;
  return (
    <div class="filter-bar" role="search" aria-label="Filter the calls">
      <input
        ref={search}
        type="search"
        class="field filter-text"
        aria-label="Text in calls and messages"
        placeholder="Text in calls and messages"
        value={value.text}
        onInput={({ currentTarget }) => set({ text: currentTarget.value })}
      />
      <Choice
        label="Server"
        any="All servers"
        names={choices.servers}
        value={value.server}
        onChange={(server) => set({ server, tool: '' })}
      />
      <Choice
        label="Tool"
        any="All tools"
        names={choices.tools}
        value={value.tool}
        onChange={(tool) => set({ tool })}
      />
      <Choice
        label="Client"
        any="All clients"
        names={choices.clients}
        value={value.client}
        onChange={(client) => set({ client })}
      />
      <OutcomeChoice value={value.outcome} set={set} />
      <DurationField value={value.duration} set={set} />
      {isFiltered(value) && (
        <button
          type="button"
          class="button"
          onClick={() => {
            filter.value = NO_FILTER;
          }}
        >
          Clear
        </button>
      )}
    </div>
  );
}

interface FieldProps<Name extends keyof CallFilter> {
  readonly value: CallFilter[Name];
  readonly set: (change: Partial<CallFilter>) => void;
}

function OutcomeChoice({ value, set }: FieldProps<'outcome'>): JSX.Element {
  return (
    <select
      class="field"
      aria-label="Outcome"
      value={value}
      onChange={({ currentTarget }) => set({ outcome: currentTarget.value as Outcome })}
    >
      {OUTCOMES.map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </select>
  );
}

function DurationField({ value, set }: FieldProps<'duration'>): JSX.Element {
  return (
    <input
      type="text"
      class="field filter-duration"
      aria-label="Duration, such as >100ms or 1s-5s"
      aria-invalid={durationRange(value) === undefined}
      placeholder=">100ms"
      title="Such as >100ms, <2s or 100ms-2s"
      value={value}
      onInput={({ currentTarget }) => set({ duration: currentTarget.value })}
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly any: string;
  readonly names: readonly string[];
  readonly value: string;
  readonly onChange: (name: string) => void;
}

function Choice({ label, any, names, value, onChange }: ChoiceProps): JSX.Element {
  // The selected name stays in the list even if no call has it.
  const all = value === '' || names.includes(value) ? names : [...names, value];
  return (
    <select
      class="field filter-choice"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      <option value="">{any}</option>
      {all.map((name) => (
        <option key={name} value={name}>
          {visible(name).slice(0, 80)}
        </option>
      ))}
    </select>
  );
}
