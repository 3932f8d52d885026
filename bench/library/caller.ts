// What the library benchmark measures: something that can call the echo tool. Every implementation
// does no more around the call than it takes to return the text.

export type Route = 'fast' | 'sdk' | 'sdk-modern' | 'in-process';

export interface Caller {
  echo(message: string): Promise<string>;
  close(): Promise<void>;
}

/** The newest revision, for the route that speaks it. */
export const MODERN_REVISION = '2026-07-28';
