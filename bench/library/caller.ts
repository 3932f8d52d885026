// The interface of the library benchmark: calls the echo tool. Implementations do only what is needed to return the text.

export type Route = 'fast' | 'sdk' | 'sdk-modern' | 'in-process';

export interface Caller {
  echo(message: string): Promise<string>;
  close(): Promise<void>;
}

/** The newest revision, for the route that supports it. */
export const MODERN_REVISION = '2026-07-28';
