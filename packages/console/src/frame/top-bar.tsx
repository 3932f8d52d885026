import type { JSX } from 'preact';
import { useConsole } from '../store/context.ts';
import type { Link } from '../store/connection.ts';
import { Text } from '../text/text.tsx';
import { visible } from '../text/visible.ts';
import { Icon } from '../ui/icon.tsx';
import { theme, THEMES } from '../ui/preference.ts';

const LINKS: Readonly<Record<Link, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  offline: 'Offline',
  'signed-out': 'Signed out',
};

interface TopBarProps {
  readonly onSearch: () => void;
  readonly onKeys: () => void;
}

export function TopBar({ onSearch, onKeys }: TopBarProps): JSX.Element {
  const { store, connection } = useConsole();
  const gateway = store.gateway.value;
  const link = connection.link.value;
  return (
    <header class="top-bar">
      <a class="brand" href="#/">
        <Icon name="plug" />
        <span class="brand-name">Plugboard</span>
      </a>
      <span class={`link link-${link}`}>
        <span class="link-dot" aria-hidden="true" />
        {LINKS[link]}
      </span>
      <span class="gateway">
        {gateway?.url !== undefined && (
          <code>
            <Text of={gateway.url} />
          </code>
        )}
      </span>
      <button type="button" class="search-button" onClick={onSearch}>
        <Icon name="search" />
        <span class="search-words">Search</span>
        <kbd aria-hidden="true">{isApple() ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <ThemeButton />
      <button type="button" class="icon-button" onClick={onKeys} aria-label="Keys" title="Keys (?)">
        <Icon name="keyboard" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label="Sign out of the console"
        title={`Sign out of the console${gateway === undefined ? '' : ` (${visible(gateway.principal)})`}`}
        onClick={() => void connection.signOut()}
      >
        <Icon name="leave" />
      </button>
    </header>
  );
}

function ThemeButton(): JSX.Element {
  const at = THEMES.findIndex(({ name }) => name === theme.value);
  const next = THEMES[(at + 1) % THEMES.length]?.name ?? 'system';
  const label = `Colours: ${theme.value}. Change to ${next}`;
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      onClick={() => {
        theme.value = next;
      }}
    >
      <Icon name={THEMES[at]?.icon ?? 'screen'} />
    </button>
  );
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/u.test(navigator.userAgent);
}
