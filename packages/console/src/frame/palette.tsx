// The command palette: all places and actions, found by typing a few letters of their names.

import { type ReadonlySignal, type Signal, useComputed, useSignal } from '@preact/signals';
import type { ContextView, SavedCallsView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { get } from '../feed/request.ts';
import { useConsole } from '../store/context.ts';
import { Text } from '../text/text.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { type Command, commandsOf, searchCommands, type PaletteData } from './commands.ts';

const MOST_SHOWN = 50;

export function Palette({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const console = useConsole();
  const query = useSignal('');
  const at = useSignal(0);
  const offered = usePaletteData(console.store.isAdministrator);
  const commands = useComputed(() => commandsOf(console, offered.value));
  const shown = useComputed(() => searchCommands(commands.value, query.value).slice(0, MOST_SHOWN));
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[at.value]?.scrollIntoView({ block: 'nearest' });
  }, [at.value]);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    list.current?.closest('dialog')?.close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const many = shown.value.length;
    if (step !== undefined && many > 0) at.value = (at.value + step + many) % many;
    else if (event.key === 'Enter') run(shown.value[at.value]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label="Search for an action" kind="palette" onClose={onClose}>
      <QueryField
        query={query}
        active={shown.value.length > 0 ? `palette-${at.value}` : undefined}
        onInput={() => {
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-list" role="listbox" aria-label="Found" ref={list}>
        {shown.value.map((command, index) => (
          <CommandRow
            key={command.id}
            command={command}
            id={`palette-${index}`}
            isSelected={index === at.value}
            onRun={() => run(command)}
            onPoint={() => {
              at.value = index;
            }}
          />
        ))}
      </ul>
      {/* A live region has to exist before its text appears, or screen readers do not announce it. */}
      <p class="palette-nothing" role="status">
        {shown.value.length === 0 && 'Nothing matches.'}
      </p>
    </Dialog>
  );
}

/** Loads the tools and saved calls when the palette opens. Until then it offers the other commands. */
function usePaletteData(isAdministrator: boolean): ReadonlySignal<PaletteData> {
  const offered = useSignal<PaletteData>({ tools: [], checks: [] });
  useEffect(() => {
    const put = (part: Partial<PaletteData>): void => {
      offered.value = { ...offered.peek(), ...part };
    };
    void get<ContextView>('context').then((answer) => {
      if (answer.kind === 'ok') put({ tools: answer.value.tools });
    });
    if (!isAdministrator) return;
    void get<SavedCallsView>('checks').then((answer) => {
      if (answer.kind === 'ok') put({ checks: answer.value.checks.flatMap(nameIn) });
    });
  }, []);
  return offered;
}

function nameIn({ name }: SavedCallsView['checks'][number]): readonly string[] {
  return typeof name === 'string' ? [name] : [];
}

interface CommandRowProps {
  readonly command: Command;
  readonly id: string;
  readonly isSelected: boolean;
  readonly onRun: () => void;
  readonly onPoint: () => void;
}

function CommandRow({ command, id, isSelected, onRun, onPoint }: CommandRowProps): JSX.Element {
  return (
    <li id={id} role="option" aria-selected={isSelected} onClick={onRun} onPointerMove={onPoint}>
      <Icon name={command.icon} />
      <span class="palette-title">
        <Text of={command.title} />
      </span>
      <span class="palette-kind">{command.kind}</span>
    </li>
  );
}

interface QueryFieldProps {
  readonly query: Signal<string>;
  readonly active: string | undefined;
  readonly onInput: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function QueryField({ query, active, onInput, onKeyDown }: QueryFieldProps): JSX.Element {
  return (
    <div class="palette-field">
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        aria-label="Search for an action"
        aria-expanded={active !== undefined}
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={active}
        placeholder="Go to a view or a server, run a tool, or do something"
        autocomplete="off"
        spellcheck={false}
        value={query.value}
        onInput={({ currentTarget }) => {
          query.value = currentTarget.value;
          onInput();
        }}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
