// The tools, resources and prompts of a server: a list with a filter, and for the selected item a form and its result.

import { useComputed, useSignal } from '@preact/signals';
import type { ServerDetail, ServerOffers } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Answer } from '../feed/request.ts';
import { Segments } from '../parts/segments.tsx';
import { useConsole } from '../store/context.ts';
import { counted } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { visible } from '../text/visible.ts';
import { IdleServers } from '../servers/idle-servers.tsx';
import { ServerNotice } from '../servers/server-notice.tsx';
import { Failure } from '../ui/failure.tsx';
import { useFocusedSelection } from '../ui/focus.ts';
import { stepKeys, useKeys } from '../ui/keys.ts';
import { useLoaded } from '../ui/loaded.ts';
import { Mark, SERVER_LOOKS } from '../ui/mark.tsx';
import { addressOf, goTo } from '../ui/route.ts';
import { ItemDetails } from './item-details.tsx';
import {
  filterItems,
  type ItemKind,
  type OfferedItem,
  promptItems,
  resourceItems,
  toolItems,
} from './offered-item.ts';

const KINDS = [
  { name: 'tool', title: 'Tools' },
  { name: 'resource', title: 'Resources' },
  { name: 'prompt', title: 'Prompts' },
] as const;

export function ToolsView({ path }: { readonly path: readonly string[] }): JSX.Element {
  const { store } = useConsole();
  const servers = store.servers.value;
  const [named, kind = 'tool', key] = useLastPlace(path);
  const best =
    servers.find(({ state }) => state === 'ready') ?? servers.find(({ tools }) => tools > 0);
  const server = named ?? best?.name ?? servers[0]?.name;
  if (server === undefined) {
    return (
      <p class="empty">
        No servers are configured. <a href={addressOf('servers')}>How to add one</a>
      </p>
    );
  }
  const known = KINDS.find(({ name }) => name === kind)?.name ?? 'tool';
  return <Offers key={server} server={server} kind={known} selected={key} />;
}

/** The item that was open last, to return to from another view. */
let last: readonly string[] = [];

function useLastPlace(path: readonly string[]): readonly string[] {
  const { store } = useConsole();
  if (path.length > 0) last = path;
  return store.servers.value.some(({ name }) => name === last[0]) ? last : path;
}

interface OffersProps {
  readonly server: string;
  readonly kind: ItemKind;
  readonly selected: string | undefined;
}

function Offers({ server, kind, selected }: OffersProps): JSX.Element {
  const items = useItems(server, kind);
  const query = useSignal('');
  const filter = useRef<HTMLInputElement>(null);
  const shown = items.list === undefined ? undefined : filterItems(items.list, query.value);
  const { list, follow } = useFocusedSelection<HTMLElement>(selected);
  useListKeys({ server, kind, selected }, shown, {
    follow,
    focusFilter: () => filter.current?.focus(),
  });
  const item = items.list?.find((each) => each.key === selected);
  return (
    <div class={`split ${selected === undefined ? 'split-closed' : 'split-open'}`}>
      <section class="split-list offers" aria-label="What the server offers" ref={list}>
        <div class="pane-head">
          <ServerChoice server={server} kind={kind} />
          <Segments
            label="Kind"
            options={KINDS}
            value={kind}
            onChange={(next) => goTo('tools', server, next)}
          />
          <input
            ref={filter}
            type="search"
            class="field offers-filter"
            aria-label="Filter the list"
            placeholder={`Filter ${counted(items.list?.length ?? 0, kind)}`}
            value={query.value}
            onInput={({ currentTarget }) => {
              query.value = currentTarget.value;
            }}
          />
        </div>
        <ItemList items={shown} failure={items.failure} {...{ server, kind, selected }} />
      </section>
      {selected !== undefined && (
        <section class="split-detail" aria-label="Details" key={`${kind} ${selected}`}>
          {item === undefined ? (
            <p class="empty">
              {items.list === undefined ? 'Loading…' : 'The server does not offer this any more.'}
            </p>
          ) : (
            <ItemDetails server={server} item={item} />
          )}
        </section>
      )}
    </div>
  );
}

function useListKeys(
  { server, kind, selected }: OffersProps,
  shown: readonly OfferedItem[] | undefined,
  { follow, focusFilter }: { readonly follow: () => void; readonly focusFilter: () => void },
): void {
  const items = shown ?? [];
  const at = items.findIndex((item) => item.key === selected);
  const choose = ({ key }: OfferedItem): void => {
    follow();
    goTo('tools', server, kind, key);
  };
  useKeys('Tools', [
    ...stepKeys('in the list', { items, at, choose }),
    { keys: '/', what: 'Filter the list', run: focusFilter },
    { keys: 'Escape', what: 'Close the details', run: () => goTo('tools', server, kind) },
  ]);
}

function ServerChoice({ server, kind }: Pick<OffersProps, 'server' | 'kind'>): JSX.Element {
  const { store } = useConsole();
  return (
    <select
      class="field"
      aria-label="Server"
      value={server}
      onChange={({ currentTarget }) => goTo('tools', currentTarget.value, kind)}
    >
      {store.servers.value.map(({ name }) => (
        <option key={name} value={name}>
          {visible(name)}
        </option>
      ))}
    </select>
  );
}

interface Items {
  readonly list: readonly OfferedItem[] | undefined;
  readonly failure?: Answer<unknown>;
}

/** The items of a server, loaded again when its tools change. */
function useItems(server: string, kind: ItemKind): Items {
  const { store } = useConsole();
  const at = `servers/${encodeURIComponent(server)}`;
  const detail = useLoaded<ServerDetail>(at);
  const offers = useLoaded<ServerOffers>(`${at}/offers`);
  const view = store.servers.value.find(({ name }) => name === server);
  useEffect(() => {
    void detail.reload();
    void offers.reload();
  }, [view?.state, view?.tools]);
  const lists = useComputed(() => ({
    tool: listOf(detail.answer.value, toolItems),
    resource: listOf(offers.answer.value, resourceItems),
    prompt: listOf(offers.answer.value, promptItems),
  }));
  return lists.value[kind];
}

function listOf<T>(
  answer: Answer<T> | undefined,
  items: (value: T) => readonly OfferedItem[],
): Items {
  if (answer === undefined) return { list: undefined };
  if (answer.kind !== 'ok') return { list: [], failure: answer };
  return { list: items(answer.value) };
}

interface ItemListProps extends OffersProps {
  readonly items: readonly OfferedItem[] | undefined;
  readonly failure: Answer<unknown> | undefined;
}

/** Why the list is empty: the server offers nothing, or is not ready. */
function Nothing({ server, kind }: Pick<OffersProps, 'server' | 'kind'>): JSX.Element {
  const { store } = useConsole();
  const view = store.servers.value.find(({ name }) => name === server);
  if (view === undefined || view.state === 'ready') {
    return <p class="empty">There is no {kind} here.</p>;
  }
  return (
    <div class="nothing">
      <p class="empty">
        <Mark look={SERVER_LOOKS[view.state]} />
        <span>
          Nothing is known of what <Text of={server} /> offers.{' '}
          <a href={addressOf('servers', server)}>Look at the server</a>
        </span>
      </p>
      <ServerNotice server={view} />
      <IdleServers />
    </div>
  );
}

/** Longer lists have to be filtered. */
const MOST_SHOWN = 500;

function ItemList({ items, failure, server, kind, selected }: ItemListProps): JSX.Element {
  if (failure !== undefined) return <Failure of={failure} />;
  if (items === undefined) return <div class="loading" />;
  if (items.length === 0) return <Nothing server={server} kind={kind} />;
  return (
    <ul class="offer-list" role="list">
      {items.slice(0, MOST_SHOWN).map((item) => (
        <li key={item.key}>
          <a
            class="offer"
            href={addressOf('tools', server, kind, item.key)}
            aria-current={item.key === selected ? 'true' : undefined}
          >
            <span class="offer-name">
              <Text of={item.key} />
            </span>
            <span class="offer-words">
              <Text of={(item.description ?? item.title ?? '').slice(0, 300)} />
            </span>
          </a>
        </li>
      ))}
      {items.length > MOST_SHOWN && (
        <li class="empty">{counted(items.length - MOST_SHOWN, 'more')}: filter the list.</li>
      )}
    </ul>
  );
}
