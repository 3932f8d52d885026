// The figures of the README: which rows of the benchmarks' reports they are, and what they are called there.
// What is not chosen is in docs/figures.md.

/** How a row is found: by the benchmark, the beginning of the section's title, and its name. */
export interface Chosen {
  readonly what: string;
  readonly benchmark: string;
  readonly section: string;
  readonly row: string;
  /** The beginning of what a comparison is with. */
  readonly against?: string;
}

const LIBRARY = { benchmark: 'call', row: 'host.call' };
const WITH_TREE = { benchmark: 'text-search', against: 'ripgrep' };

export const CHOSEN: readonly Chosen[] = [
  {
    what: 'one call from the command line, with the start of its server',
    benchmark: 'call',
    section: 'one call from the command line, Node v24',
    row: 'plugboard call',
    against: 'mcporter',
  },
  {
    what: 'the same on Node 20, and the newest mcporter for it',
    benchmark: 'call',
    section: 'one call from the command line, Node v20',
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
    what: 'a call in a program, one after another',
    ...LIBRARY,
    section: 'stdio, hand-written server, one',
    against: 'AI SDK',
  },
  {
    what: 'calls in a program, 32 in flight',
    ...LIBRARY,
    section: 'stdio, hand-written server, 32',
    against: 'SDK',
  },
  {
    what: 'calls in a program, 32 in flight',
    ...LIBRARY,
    section: 'stdio, hand-written server, 32',
    against: 'AI SDK',
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
    what: 'text in 50,000 files, without an index',
    ...WITH_TREE,
    section: 'text-search: a rare name',
    row: 'search without an index',
  },
  {
    what: 'text in 50,000 files, with the index',
    ...WITH_TREE,
    section: 'text-search: a rare name',
    row: 'search with the index',
  },
  {
    what: 'texts embedded',
    benchmark: 'embedding',
    section: 'embedding: ',
    row: 'embedDocuments',
    against: 'bare session, no spinning',
  },
  {
    what: 'a key of the chat on the screen while text streams, 95 of 100',
    benchmark: 'chat',
    section: 'chat: a key press',
    row: 'while 200 tokens/s stream: 95 of 100',
  },
  {
    what: 'a turn with four calls, without its model',
    benchmark: 'chat',
    section: 'chat: a turn',
    row: '4 calls, then an answer',
  },
  {
    what: '10,000 tools of 200 servers listed, in a new process',
    benchmark: 'catalog',
    section: 'catalog',
    row: 'host.tools(), in a new process',
  },
  {
    what: 'calls without an answer or a clear failure, in 200 kills of their servers',
    benchmark: 'connect',
    section: 'kills',
    row: 'calls with neither the right answer nor a clear failure',
  },
  {
    what: 'an edit of a file of code until it is found',
    benchmark: 'index',
    section: 'index: a tree',
    row: 'an edit is found after, in the median',
  },
  {
    what: 'a question to an index of 50,000 chunks, by words and by meaning',
    benchmark: 'index',
    section: 'index: 50000',
    row: 'a question, by words and by vectors, in the median',
  },
];
