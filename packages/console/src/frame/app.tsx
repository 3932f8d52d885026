// The frame around every view: landmarks, navigation, the state of the connection, and the dialogs that are available
// everywhere.

import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useConsole } from '../store/context.ts';
import { Announcer, announce } from '../ui/announce.tsx';
import { focusMain } from '../ui/focus.ts';
import { useKeys } from '../ui/keys.ts';
import { goTo, route } from '../ui/route.ts';
import { useWarnings } from '../waiting/time-left.tsx';
import { announcementOf } from '../waiting/words.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { SignedOut } from './signed-out.tsx';
import { TopBar } from './top-bar.tsx';
import { WaitingBar } from './waiting-bar.tsx';
import { type View, type ViewProps, VIEWS, viewOf } from './views.ts';

type OpenDialog = 'palette' | 'keys' | undefined;

export function App(): JSX.Element {
  const { connection } = useConsole();
  const open = useSignal<OpenDialog>(undefined);
  const show = (which: OpenDialog) => (): void => {
    open.value = which;
  };
  /** A dialog that closes late must not close another one. */
  const hide = (which: OpenDialog) => (): void => {
    if (open.peek() === which) open.value = undefined;
  };
  useKeys('Everywhere', [
    { keys: 'mod+k', what: 'Search for an action', run: show('palette') },
    { keys: '?', what: 'Show these keys', run: show('keys') },
    ...VIEWS.map(({ key, title, name }) => ({
      keys: `g ${key}`,
      what: `Go to ${title.toLowerCase()}`,
      run: () => goTo(name),
    })),
  ]);
  useNews();
  useWarnings();
  const view = viewOf(route.value.view);
  const before = useRef(view);
  useEffect(() => {
    if (before.current !== view) focusMain();
    before.current = view;
  }, [view]);
  if (connection.link.value === 'signed-out') return <SignedOut />;
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <TopBar onSearch={show('palette')} onKeys={show('keys')} />
      <Navigation current={view.name} />
      <main id="main" class="main" tabIndex={-1} aria-labelledby="view-title">
        <WaitingBar current={view.name} />
        <CurrentView key={view.name} view={view} path={route.value.path} />
      </main>
      <Announcer />
      {open.value === 'palette' && <Palette onClose={hide('palette')} />}
      {open.value === 'keys' && <KeysDialog onClose={hide('keys')} />}
    </div>
  );
}

/** Does not change the fragment of the address, which names the view. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}

function CurrentView({ view, path }: { readonly view: View } & ViewProps): JSX.Element {
  const loading = useMemo(() => view.load(), [view]);
  const Loaded = useSignal(loading instanceof Promise ? undefined : loading);
  useEffect(() => {
    document.title = `${view.title} · Plugboard console`;
    if (loading instanceof Promise) {
      void loading.then((component) => {
        Loaded.value = component;
      });
    }
  }, [view]);
  return (
    <>
      <h1 id="view-title" class="unseen">
        {view.title}
      </h1>
      {Loaded.value === undefined ? <div class="loading" /> : <Loaded.value path={path} />}
    </>
  );
}

/** Announces new approvals and questions, their answers, and a lost or restored connection. */
function useNews(): void {
  const { store, connection } = useConsole();
  const known = useSignal<ReadonlySet<string>>(new Set());
  const lastAnnounced = useSignal(store.answered.peek()[0]);
  const link = useSignal(connection.link.peek());
  useSignalEffect(() => {
    const waiting = store.waiting.value;
    const answers = store.answered.value;
    const fresh = waiting.filter(({ id }) => !known.peek().has(id));
    known.value = new Set(waiting.map(({ id }) => id));
    const before = lastAnnounced.peek();
    const answered = before === undefined ? answers : answers.slice(0, answers.indexOf(before));
    lastAnnounced.value = answers[0];
    const news = announcementOf({ answered, fresh, waiting: waiting.length });
    if (news !== '') announce(news);
  });
  useSignalEffect(() => {
    const now = connection.link.value;
    const before = link.peek();
    link.value = now;
    if (now === 'offline' && before === 'live') announce('The gateway does not answer.');
    if (now === 'live' && before === 'offline') announce('The gateway answers again.');
  });
}
