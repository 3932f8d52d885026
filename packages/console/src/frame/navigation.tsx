import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useConsole } from '../store/context.ts';
import { Icon } from '../ui/icon.tsx';
import { addressOf } from '../ui/route.ts';
import { VIEWS } from './views.ts';

export function Navigation({ current }: { readonly current: string }): JSX.Element {
  const { store } = useConsole();
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
        {VIEWS.map(({ name, title, icon, key, count }) => (
          <li key={name}>
            <a
              class="navigation-link"
              href={addressOf(name)}
              aria-current={name === current ? 'page' : undefined}
              title={`${title} (g ${key})`}
            >
              <Icon name={icon} />
              <span class="navigation-title">{title}</span>
              {count !== undefined && <Count of={name} value={count.in(store)} what={count.what} />}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface CountProps {
  readonly of: string;
  readonly value: number;
  readonly what: string;
}

function Count({ of, value, what }: CountProps): JSX.Element | null {
  if (value === 0) return null;
  return (
    <span class={`count count-${of}`}>
      {value}
      <span class="unseen"> {what}</span>
    </span>
  );
}
