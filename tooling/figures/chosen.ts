// The figures of the README: the chosen rows of the reports of benchmarks, and their names there. docs/figures.md has
// all rows.

/** Selects a row by its benchmark, the beginning of the section's title, and its name. */
export interface ChosenRow {
  readonly what: string;
  readonly benchmark: string;
  readonly section: string;
  readonly row: string;
  /** The beginning of the baseline's name, for a comparison. */
  readonly against?: string;
}

const LIBRARY = { benchmark: 'call', row: 'host.call' };
const WITH_TREE = { benchmark: 'text-search', against: 'ripgrep' };

const GATEWAY = { benchmark: 'gateway', row: 'gateway' };

export const CHOSEN: readonly ChosenRow[] = [
  {
    what: 'one call from the command line, with the start of its server',
    benchmark: 'call',
    section: 'one call from the command line, Node v24',
    row: 'plugboard call',
    against: 'mcporter',
  },
  {
    what: 'a call in a program, one after another',
    ...LIBRARY,
    section: 'stdio, hand-written server, one',
    against: 'SDK',
  },
  {
    what: 'calls in a program, 32 in flight',
    ...LIBRARY,
    section: 'stdio, hand-written server, 32',
    against: 'SDK',
  },
  {
    what: 'calls through the gateway, 16 connections',
    ...GATEWAY,
    section: 'tools/call through the gateway, legacy era, 16',
    against: 'mcp-proxy',
  },
  {
    what: 'what the gateway adds to a call, median',
    benchmark: 'gateway',
    section: 'added to a call',
    row: 'p50',
  },
  {
    what: '99th percentile of a call through the gateway',
    ...GATEWAY,
    section: 'the slowest in a hundred, legacy era, 16',
    against: 'mcp-proxy',
  },
  {
    what: '`plugboard list`',
    benchmark: 'start',
    section: 'start',
    row: 'plugboard list',
    against: 'node -e 0',
  },
  {
    what: 'the first prompt of `plugboard chat`',
    benchmark: 'chat',
    section: 'chat: until the prompt',
    row: 'plugboard chat',
    against: 'node -e 0',
  },
  {
    what: 'a search for text in 50,000 files, with the index',
    ...WITH_TREE,
    section: 'text-search: a rare name',
    row: 'search with the index',
  },
  {
    what: 'calls lost without an answer or an error, in 200 kills of their servers',
    benchmark: 'connect',
    section: 'kills',
    row: 'calls with neither the right answer nor a clear failure',
  },
];
