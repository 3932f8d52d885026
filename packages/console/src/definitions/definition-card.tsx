// A definition that is kept back: the reason, the changes, and the findings of the scanner.

import type {
  ChangeView,
  DefinitionAnswer,
  DefinitionView,
  FindingView,
} from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Words } from '../parts/diff/diff-view.tsx';
import { dayAndTime } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { Icon } from '../ui/icon.tsx';

interface DefinitionCardProps {
  readonly item: DefinitionView;
  readonly isChosen: boolean;
  readonly isAdministrator: boolean;
  readonly onDecide: (kind: DefinitionAnswer['kind']) => void;
}

const CHECKS: Readonly<Record<FindingView['check'], string>> = {
  'hidden-characters': 'contains invisible characters',
  'injected-instructions': 'gives the model orders',
  'encoded-payload': 'contains something encoded',
  shadowing: 'imitates another tool, or gives instructions about one',
  unread: 'is too long to be scanned',
};

export function DefinitionCard(props: DefinitionCardProps): JSX.Element {
  const { item, isChosen, isAdministrator, onDecide } = props;
  const titleId = useId();
  const title = item.kind === 'instructions' ? 'Instructions' : item.name;
  const isDangerous = item.findings.some(({ severity }) => severity === 'danger');
  return (
    <article
      class={`waiting-card ${isChosen ? 'is-chosen' : ''}`}
      tabIndex={-1}
      aria-labelledby={titleId}
      aria-current={isChosen ? 'true' : undefined}
    >
      <header class="waiting-head">
        <h3 id={titleId} class="waiting-title">
          <Text of={title} /> of <Text of={item.server} />
        </h3>
        <p class="faint">
          {reasonWords(item)}
          {item.isRefused && <strong> You refused it.</strong>}
        </p>
      </header>
      {item.findings.map((finding, index) => (
        <Finding key={index} finding={finding} />
      ))}
      <ul class="changes" role="list" aria-label="What is different">
        {item.changes.map((change) => (
          <Change key={change.path.join('/')} change={change} />
        ))}
      </ul>
      {isAdministrator && (
        <div class="waiting-actions">
          <button
            type="button"
            class={`button ${isDangerous ? '' : 'button-main'}`}
            onClick={() => onDecide('accept')}
          >
            <Icon name="check" />
            {isDangerous ? 'Accept anyway' : 'Accept'}
            {isChosen && <kbd aria-hidden="true">a</kbd>}
          </button>
          {!item.isRefused && (
            <button
              type="button"
              class={`button ${isDangerous ? 'button-main' : ''}`}
              onClick={() => onDecide('refuse')}
            >
              <Icon name="blocked" />
              Refuse
              {isChosen && <kbd aria-hidden="true">d</kbd>}
            </button>
          )}
        </div>
      )}
    </article>
  );
}

function Change({ change }: { readonly change: ChangeView }): JSX.Element {
  const { kind, path, before = '', after = '' } = change;
  return (
    <li class="change">
      <span class="change-path">
        <Text of={path.join(' › ')} />
        <span class="faint"> {kind}</span>
      </span>
      <span class="diff-value change-text">
        <Words before={before} after={after} />
      </span>
    </li>
  );
}

function Finding({ finding }: { readonly finding: FindingView }): JSX.Element {
  const { severity, path, check, excerpt } = finding;
  return (
    <p class={`signed-text ${severity === 'danger' ? 'tone-bad' : 'tone-warn'}`}>
      <Icon name="alert" />
      <span>
        The scanner: <Text of={path.join(' › ')} /> {CHECKS[check]}:{' '}
        <code>
          <Text of={excerpt} />
        </code>
      </span>
    </p>
  );
}

function reasonWords({ reason, acceptedAt, renamedFrom }: DefinitionView): string {
  switch (reason) {
    case 'changed':
      return `It has changed since it was accepted${acceptedAt === undefined ? '' : ` on ${dayAndTime(acceptedAt)}`}.`;
    case 'new':
      return 'It was not there when the server was first listed.';
    case 'renamed':
      return `The same was accepted as ${renamedFrom ?? 'another name'}.`;
    case 'danger':
      return 'It was never accepted, and looks like an attack.';
    case 'unreviewed':
      return 'It was not accepted yet.';
    case 'unreadable-pins':
      return 'What you accepted cannot be read, so nothing counts as accepted.';
    default:
      return reason satisfies never;
  }
}
