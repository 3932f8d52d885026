// Draws differences: words of texts, and parts of JSON values without what did not change.

import type { Json } from '@plugboard/base';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { counted } from '../../text/numbers.ts';
import { Text } from '../../text/text.tsx';
import { countsOf, type DiffEntry, jsonDiff, type JsonDiff } from './json-diff.ts';
import { textDiff } from './text-diff.ts';

export interface DiffViewProps {
  readonly before: Json;
  readonly after: Json;
  readonly label: string;
}

/** Two texts, word by word. */
export function Words({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}): JSX.Element {
  const pieces = useMemo(() => textDiff(before, after), [before, after]);
  return (
    <>
      {pieces.map(({ kind, text }, index) => {
        if (kind === 'same') return <Text key={index} of={text} />;
        return kind === 'added' ? (
          <ins key={index}>
            <Text of={text} />
          </ins>
        ) : (
          <del key={index}>
            <Text of={text} />
          </del>
        );
      })}
    </>
  );
}

export function JsonDiffView({ before, after, label }: DiffViewProps): JSX.Element {
  const diff = useMemo(() => jsonDiff(before, after), [before, after]);
  const counts = useMemo(() => countsOf(diff), [diff]);
  return (
    <>
      {diff.kind === 'same' ? (
        <p class="faint">There is no difference.</p>
      ) : (
        <p class="diff-counts faint">
          <span>{counted(counts.changed, 'change')}</span>
          <span>{counts.added} added</span>
          <span>{counts.removed} removed</span>
        </p>
      )}
      {diff.kind !== 'same' && (
        <div class="diff" role="region" tabIndex={0} aria-label={label}>
          <Difference diff={diff} />
        </div>
      )}
    </>
  );
}

const MOST_ENTRIES = 1000;

function Difference({ diff }: { readonly diff: JsonDiff }): JSX.Element {
  switch (diff.kind) {
    case 'same':
      return <span class="diff-same">unchanged</span>;
    case 'added':
      return (
        <ins class="diff-value">
          <Text of={written(diff.after)} />
        </ins>
      );
    case 'removed':
      return (
        <del class="diff-value">
          <Text of={written(diff.before)} />
        </del>
      );
    case 'changed':
      return <Changed before={diff.before} after={diff.after} />;
    case 'object':
    case 'list':
      return <Entries entries={diff.entries} />;
    default:
      return diff satisfies never;
  }
}

function Entries({ entries }: { readonly entries: readonly DiffEntry[] }): JSX.Element {
  const changed = entries.filter(({ diff }) => diff.kind !== 'same');
  const same = entries.length - changed.length;
  return (
    <ul class="diff-entries" role="list">
      {changed.slice(0, MOST_ENTRIES).map(({ key, diff }, index) => (
        <li key={index}>
          <span class="diff-key">{typeof key === 'number' ? `[${key}]` : <Text of={key} />}</span>
          {': '}
          <Difference diff={diff} />
        </li>
      ))}
      {changed.length > MOST_ENTRIES && (
        <li class="diff-same">{counted(changed.length - MOST_ENTRIES, 'more difference')}</li>
      )}
      {same > 0 && <li class="diff-same">{same} unchanged</li>}
    </ul>
  );
}

function Changed({ before, after }: { readonly before: Json; readonly after: Json }): JSX.Element {
  if (typeof before === 'string' && typeof after === 'string') {
    return (
      <span class="diff-value">
        <Words before={before} after={after} />
      </span>
    );
  }
  return (
    <span class="diff-value">
      <del>
        <Text of={written(before)} />
      </del>{' '}
      <ins>
        <Text of={written(after)} />
      </ins>
    </span>
  );
}

function written(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
