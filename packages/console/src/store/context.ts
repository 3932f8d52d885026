// The store and its connection, for every component.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Connection } from './connection.ts';
import type { ConsoleStore } from './console-store.ts';

export interface ConsoleContext {
  readonly store: ConsoleStore;
  readonly connection: Connection;
}

const Context = createContext<ConsoleContext | undefined>(undefined);

export const ConsoleProvider = Context.Provider;

export function useConsole(): ConsoleContext {
  const value = useContext(Context);
  if (value === undefined) throw new Error('a component outside of the console');
  return value;
}
