// A few options side by side, one of them selected. They are radio buttons, so that arrow keys move between them.

import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

export interface SegmentsProps<Name extends string> {
  /** For screen readers. */
  readonly label: string;
  readonly options: readonly { readonly name: Name; readonly title: string }[];
  readonly value: Name;
  readonly onChange: (name: Name) => void;
}

export function Segments<Name extends string>(props: SegmentsProps<Name>): JSX.Element {
  const id = useId();
  return (
    <div class="segments" role="radiogroup" aria-label={props.label}>
      {props.options.map(({ name, title }) => (
        <label key={name} class="segment">
          <input
            type="radio"
            class="unseen"
            name={id}
            checked={name === props.value}
            onChange={() => props.onChange(name)}
          />
          <span>{title}</span>
        </label>
      ))}
    </div>
  );
}
