// Changes of definitions since they were accepted, word by word, with the findings of the scanner. The user accepts or refuses
// them; until then, models do not see them.

import { useSignal } from '@preact/signals';
import type { DefinitionAnswer, DefinitionView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Answer, post, reasonOf } from '../feed/request.ts';
import { useConsole } from '../store/context.ts';
import { counted } from '../text/numbers.ts';
import { announce } from '../ui/announce.tsx';
import { Failure } from '../ui/failure.tsx';
import { useFocusedSelection } from '../ui/focus.ts';
import { stepKeys, useKeys } from '../ui/keys.ts';
import { useLoaded } from '../ui/loaded.ts';
import { DefinitionCard } from './definition-card.tsx';

export function DefinitionsView(): JSX.Element {
  const { store } = useConsole();
  const { answer, reload } = useLoaded<readonly DefinitionView[]>('definitions');
  const decided = useSignal<Answer<unknown> | undefined>(undefined);
  const at = useSignal(0);
  const kept = store.servers.value
    .map(({ name, quarantined }) => `${name} ${quarantined}`)
    .join('\n');
  useEffect(() => void reload(), [kept]);
  const items = answer.value?.kind === 'ok' ? answer.value.value : [];
  const chosen = Math.min(at.value, items.length - 1);
  const { list, follow } = useFocusedSelection<HTMLElement>(items[chosen] && keyOf(items[chosen]));
  const decide = async (kind: DefinitionAnswer['kind'], item: DefinitionView): Promise<void> => {
    follow();
    const { server, name, hash } = item;
    const decision: DefinitionAnswer = { kind, items: [{ server, kind: item.kind, name, hash }] };
    const response = await post('definitions', decision);
    decided.value = response;
    announce(response.kind === 'ok' ? `Done: ${kind}.` : reasonOf(response));
    await reload();
  };
  const decideChosen = (kind: DefinitionAnswer['kind']) => (): void => {
    const item = items[chosen];
    if (item !== undefined) void decide(kind, item);
  };
  const choose = (_: DefinitionView, index: number): void => {
    follow();
    at.value = index;
  };
  useKeys('Definitions', [
    ...stepKeys('definition', { items, at: chosen, choose }),
    { keys: 'a', what: 'Accept the chosen one', run: decideChosen('accept') },
    { keys: 'd', what: 'Refuse the chosen one', run: decideChosen('refuse') },
  ]);
  return (
    <section class="definitions" aria-label="What is kept back" ref={list}>
      <Head count={items.length} />
      {items.length === 0 && <Nothing answer={answer.value} />}
      <Failure of={decided.value} class="notice tone-bad" />
      {items.map((item, index) => (
        <DefinitionCard
          key={keyOf(item)}
          item={item}
          isChosen={index === chosen}
          isAdministrator={store.isAdministrator}
          onDecide={(kind) => void decide(kind, item)}
        />
      ))}
    </section>
  );
}

function Head({ count }: { readonly count: number }): JSX.Element {
  return (
    <div class="pane-head">
      <h2>{count === 0 ? 'Nothing is kept back' : `${counted(count, 'definition')} kept back`}</h2>
    </div>
  );
}

function keyOf({ server, kind, name, hash }: DefinitionView): string {
  return `${server} ${kind} ${name} ${hash}`;
}

function Nothing({
  answer,
}: {
  readonly answer: Answer<readonly DefinitionView[]> | undefined;
}): JSX.Element | null {
  if (answer === undefined) return null;
  if (answer.kind !== 'ok') return <Failure of={answer} />;
  return (
    <p class="empty">
      All tools are as you accepted them. What changes in one later appears here, and models do not
      see it before you have accepted it.
    </p>
  );
}
