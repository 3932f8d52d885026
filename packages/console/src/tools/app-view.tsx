// The MCP App of a tool, beside its result: in a frame of another origin, without network access unless the user allows it.

import { useSignal } from '@preact/signals';
import { isObject, type Json, type JsonObject } from '@plugboard/base';
import type { RunOutcome } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { post, reasonOf } from '../feed/request.ts';
import { useConsole } from '../store/context.ts';
import { Text } from '../text/text.tsx';
import { Icon } from '../ui/icon.tsx';
import { appAddresses } from './app-addresses.ts';

export interface AppViewProps {
  readonly server: string;
  /** The resource with the app's page. */
  readonly uri: string;
  readonly arguments: JsonObject;
  readonly result: JsonObject;
}

interface LoadedApp {
  readonly html: string;
  /** The addresses that the app requests to reach. */
  readonly csp: JsonObject;
}

export function AppView(props: AppViewProps): JSX.Element | null {
  const { store } = useConsole();
  const apps = store.gateway.value?.apps;
  const loaded = useSignal<LoadedApp | string | undefined>(undefined);
  const isNetworkAllowed = useSignal(false);
  useEffect(() => {
    let isStale = false;
    void loadApp(props.server, props.uri).then((app) => {
      if (!isStale) loaded.value = app;
    });
    return () => {
      isStale = true;
    };
  }, [props.server, props.uri]);
  const app = loaded.value;
  if (apps === undefined) return <p class="faint">Apps are shown by a gateway on this machine.</p>;
  if (app === undefined) return <p class="faint">Loading the app…</p>;
  if (typeof app === 'string') {
    return (
      <p class="tone-bad">
        The app cannot be shown: <Text of={app} />
      </p>
    );
  }
  const { shown, csp } = appAddresses(app.csp);
  return (
    <section class="app" aria-label="App of the tool">
      {shown.length > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={isNetworkAllowed.value}
            onChange={({ currentTarget }) => {
              isNetworkAllowed.value = currentTarget.checked;
            }}
          />
          <span>
            Let the app reach <Text of={shown.join(', ')} />
          </span>
        </label>
      )}
      <AppFrame
        key={String(isNetworkAllowed.value)}
        {...props}
        html={app.html}
        url={frameUrl(apps, isNetworkAllowed.value ? csp : {})}
      />
    </section>
  );
}

interface AppFrameProps extends AppViewProps {
  readonly html: string;
  readonly url: string;
}

function AppFrame(props: AppFrameProps): JSX.Element {
  const element = useRef<HTMLIFrameElement>(null);
  const height = useSignal(320);
  const links = useSignal<readonly string[]>([]);
  useEffect(() => {
    const { current: frame } = element;
    if (frame === null) return undefined;
    let close: (() => void) | undefined;
    let isUnmounted = false;
    void import('./app-bridge.ts').then(async ({ openApp }) => {
      if (isUnmounted) return;
      close = await openApp({
        ...props,
        frame,
        theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
        onHeight: (pixels) => {
          height.value = pixels;
        },
        onLink: (url) => {
          links.value = [...new Set([...links.peek(), url])].slice(-5);
        },
      });
    });
    return () => {
      isUnmounted = true;
      close?.();
    };
  }, []);
  return (
    <>
      <iframe
        ref={element}
        class="app-frame"
        title="App of the tool"
        sandbox="allow-scripts allow-same-origin allow-forms"
        referrerpolicy="no-referrer"
        style={{ height: `${height.value}px` }}
      />
      {links.value.map((url) => (
        <p key={url}>
          <Icon name="forward" /> The app wants to open{' '}
          {url.startsWith('https:') ? (
            <a href={url} target="_blank" rel="noopener noreferrer">
              <Text of={url} />
            </a>
          ) : (
            <Text of={url} />
          )}
        </p>
      ))}
    </>
  );
}

async function loadApp(server: string, uri: string): Promise<LoadedApp | string> {
  const answer = await post<RunOutcome>('run', { kind: 'resource', server, uri });
  if (answer.kind !== 'ok') return reasonOf(answer);
  const contents = answer.value.result?.['contents'];
  const [page] = Array.isArray(contents) ? (contents as readonly Json[]) : [];
  if (!isObject(page) || typeof page['text'] !== 'string') {
    return answer.value.problem ?? 'Its resource has no text.';
  }
  const meta = isObject(page['_meta']) ? page['_meta']['ui'] : undefined;
  const csp = isObject(meta) ? meta['csp'] : undefined;
  return { html: page['text'], csp: isObject(csp) ? csp : {} };
}

function frameUrl(apps: string, csp: JsonObject): string {
  const query = new URLSearchParams({ host: location.origin, csp: JSON.stringify(csp) });
  return `${apps}/?${query.toString()}`;
}
