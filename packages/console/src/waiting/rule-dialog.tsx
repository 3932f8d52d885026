// Makes a rule of a call. Shows the rule and the file that it would be written to before it is written.

import { type Signal, useSignal } from '@preact/signals';
import type { ApprovalView, RulePreview, RuleWish } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Answer, post } from '../feed/request.ts';
import { Segments, type SegmentsProps } from '../parts/segments.tsx';
import { Text } from '../text/text.tsx';
import { announce } from '../ui/announce.tsx';
import { Failure } from '../ui/failure.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface RuleDialogProps {
  readonly call: Pick<ApprovalView, 'server' | 'tool' | 'arguments'>;
  readonly effect: RuleWish['effect'];
  readonly onClose: () => void;
  readonly onWritten?: (rule: RuleWish) => void;
}

const EFFECTS = [
  { name: 'allow', title: 'Allow' },
  { name: 'ask', title: 'Ask' },
  { name: 'deny', title: 'Deny' },
] as const;

const REACHES = [
  { name: 'tool', title: 'This tool' },
  { name: 'arguments', title: 'With these values' },
] as const;

type Reach = (typeof REACHES)[number]['name'];

export function RuleDialog({ call, effect, onClose, onWritten }: RuleDialogProps): JSX.Element {
  const chosen = useSignal<RuleWish['effect']>(effect);
  const reach = useSignal<Reach>('tool');
  const written = useSignal<Answer<unknown> | undefined>(undefined);
  const { server, tool, arguments: given } = call;
  const wish: RuleWish = {
    effect: chosen.value,
    server,
    tool,
    ...(reach.value === 'arguments' ? { arguments: given } : {}),
  };
  const preview = usePreview(wish);
  const write = async (): Promise<void> => {
    written.value = await post('rules', wish);
    if (written.value.kind !== 'ok') return;
    announce('The rule is written.');
    onWritten?.(wish);
    onClose();
  };
  return (
    <Dialog label="Make a rule of this" kind="rule-dialog" onClose={onClose}>
      <h2>
        A rule about <Text of={`${server}/${tool}`} />
      </h2>
      <Choice label="What the rule does" options={EFFECTS} chosen={chosen} />
      {Object.keys(given).length > 0 && (
        <Choice label="Which calls it is about" options={REACHES} chosen={reach} />
      )}
      <Preview answer={preview} />
      <Failure of={written.value} class="tone-bad" />
      <div class="waiting-actions">
        <button
          type="button"
          class="button button-main"
          disabled={preview?.kind !== 'ok'}
          onClick={() => void write()}
        >
          Write this rule
        </button>
        <button type="button" class="button" onClick={onClose}>
          Leave it
        </button>
      </div>
    </Dialog>
  );
}

interface ChoiceProps<Name extends string> extends Pick<SegmentsProps<Name>, 'label' | 'options'> {
  readonly chosen: Signal<Name>;
}

function Choice<Name extends string>({ label, options, chosen }: ChoiceProps<Name>): JSX.Element {
  return (
    <Segments
      label={label}
      options={options}
      value={chosen.value}
      onChange={(next) => {
        chosen.value = next;
      }}
    />
  );
}

/** The preview of the last requested rule. */
function usePreview(wish: RuleWish): Answer<RulePreview> | undefined {
  const preview = useSignal<Answer<RulePreview> | undefined>(undefined);
  useEffect(() => {
    let isStale = false;
    void post<RulePreview>('rules/preview', wish).then((answer) => {
      if (!isStale) preview.value = answer;
    });
    return () => {
      isStale = true;
    };
  }, [JSON.stringify(wish)]);
  return preview.value;
}

function Preview({
  answer,
}: {
  readonly answer: Answer<RulePreview> | undefined;
}): JSX.Element | null {
  if (answer === undefined) return null;
  if (answer.kind !== 'ok') return <Failure of={answer} class="tone-bad" />;
  return (
    <>
      <p>
        Is written into{' '}
        <code>
          <Text of={answer.value.file} />
        </code>
        :
      </p>
      <pre class="code" tabIndex={0} role="region" aria-label="The rule">
        <Text of={answer.value.text} />
      </pre>
    </>
  );
}
