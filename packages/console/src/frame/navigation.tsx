import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useConsole } from '../store/context.ts';
import { Icon } from '../ui/icon.tsx';
import { addressOf } from '../ui/route.ts';
import { VIEWS } from './views.ts';

export function Navigation({ current }: { readonly current: string }): JSX.Element {
  const { store } = useConsole();
  const counts: Readonly<Record<string, number>> = {
    waiting: store.waiting.value.length,
    servers: store.servers.value.filter(({ state }) => state === 'failed').length,
    definitions: store.servers.value.reduce((sum, { quarantined }) => sum + quarantined, 0),
  };
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On a narrow screen, not all views are visible.
    list.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav class="navigation" aria-label="Views">
      <ul ref={list}>
        {VIEWS.map(({ name, title, icon, key }) => (
          <li key={name}>
            <a
              class="navigation-link"
              href={addressOf(name)}
              aria-current={name === current ? 'page' : undefined}
              title={`${title} (g ${key})`}
            >
              <Icon name={icon} />
              <span class="navigation-title">{title}</span>
              <Count of={name} value={counts[name] ?? 0} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The meaning of the number beside a view, for screen readers. */
const COUNTED: Readonly<Record<string, string>> = {
  waiting: ' waiting',
  servers: ' failed',
  definitions: ' kept back',
};

function Count({ of, value }: { readonly of: string; readonly value: number }): JSX.Element | null {
  if (value === 0) return null;
  return (
    <span class={`count count-${of}`}>
      {value}
      <span class="unseen">{COUNTED[of]}</span>
    </span>
  );
}
