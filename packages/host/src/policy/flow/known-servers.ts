// The labels, and the tables of well-known servers, by the package that their entry runs or the host that it names. A
// server has a table if the guess by names would be wrong or needlessly strict. The first matching pattern counts.

/** `private`: reads private data. `foreign`: brings foreign text. `out`: sends out or changes the world. */
export const LABELS = ['private', 'foreign', 'out'] as const;

export type Label = (typeof LABELS)[number];

export type LabelTable = readonly (readonly [pattern: string, labels: readonly Label[]])[];

const READS: readonly Label[] = ['private', 'foreign'];
const NONE: readonly Label[] = [];

const FILES: LabelTable = [
  ['write_*', NONE],
  ['edit_*', NONE],
  ['create_*', NONE],
  ['move_*', NONE],
  ['*', READS],
];

const MEMORY: LabelTable = [
  ['create_*', NONE],
  ['add_*', NONE],
  ['delete_*', NONE],
  ['*', READS],
];

const GIT: LabelTable = [
  ['*push*', ['out']],
  ['*fetch*', ['foreign', 'out']],
  ['*clone*', ['foreign', 'out']],
  ['*pull*', ['foreign', 'out']],
  ['*commit*', NONE],
  ['*add*', NONE],
  ['*reset*', NONE],
  ['*checkout*', NONE],
  ['*branch*', NONE],
  ['*', READS],
];

const BROWSER: LabelTable = [
  ['*snapshot*', READS],
  ['*screenshot*', READS],
  ['*console*', READS],
  ['*network*', READS],
  ['*close*', NONE],
  ['*resize*', NONE],
  ['*wait*', NONE],
  ['*', ['private', 'foreign', 'out']],
];

/** A web page is foreign text, and its address can send data out. */
const WEB_PAGES: LabelTable = [['*', ['foreign', 'out']]];

const WEB_SEARCH: LabelTable = [['*', ['foreign']]];

const NO_DATA: LabelTable = [['*', NONE]];

/** Servers whose arguments stay on this machine, unless a tool has the label `out`. */
export const LOCAL_SERVERS: ReadonlySet<string> = new Set([
  'codebase',
  'workspace',
  '@modelcontextprotocol/server-filesystem',
  '@modelcontextprotocol/server-memory',
]);

export const KNOWN_SERVERS: Readonly<Record<string, LabelTable>> = {
  codebase: [['*', READS]],
  workspace: [
    ['run_command', ['private', 'foreign', 'out']],
    ['*_job', READS],
    ['web_fetch', ['foreign', 'out']],
    ['*', NONE],
  ],
  '@modelcontextprotocol/server-filesystem': FILES,
  '@modelcontextprotocol/server-memory': MEMORY,
  '@modelcontextprotocol/server-sequential-thinking': NO_DATA,
  'mcp-server-time': NO_DATA,
  'mcp-server-git': GIT,
  'mcp-server-fetch': WEB_PAGES,
  '@playwright/mcp': BROWSER,
  'chrome-devtools-mcp': BROWSER,
  '@upstash/context7-mcp': WEB_SEARCH,
  'mcp.context7.com': WEB_SEARCH,
  '@modelcontextprotocol/server-brave-search': WEB_SEARCH,
  'exa-mcp-server': WEB_SEARCH,
  'mcp.exa.ai': WEB_SEARCH,
  'tavily-mcp': WEB_SEARCH,
};
