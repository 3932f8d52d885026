// One entry of a list of facts, which is a `dl` of the class `facts`.

import type { ComponentChildren, JSX } from 'preact';

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

export function Fact({ name, children }: FactProps): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
