// The samples of the gallery: one of everything that the terminal agent draws, as in a real conversation.

import type { UserPart } from '@plugboard/agent';
import type { AskedForm, AskedPage } from '@plugboard/host';
import type { PendingApproval, Opening, ServerRow } from '../../../src/chat/index.ts';
import type { CallView } from '../../../src/tui/view/call-view.ts';

export const MARKDOWN = `# Where the retry lives

The retry is in **\`open-remembering.ts\`**, not in the transport. It reads the *last era* that the server spoke ~~twice~~ once.

1. Ask the store which era was spoken last
2. Open a session, and where that fails with \`-32601\`, try the other era before anybody is told about a failure
   - the failure is kept
   - the store is told
3. Report

- [x] read the store
- [ ] write it back

> Nothing is retried after a person said no.

\`\`\`ts
// Once, and never again for this launch.
export async function openRemembering(launch: Launch, signal: AbortSignal): Promise<Session> {
  const era = await store.lastEra(launch.server) ?? 'modern';
  return open(launch, { era, retries: 1, name: "first" }, signal);
}
\`\`\`

| File | What it does | Lines |
|:--|:--|--:|
| \`open.ts\` | Chooses a transport and negotiates which revision of the protocol both sides speak | 120 |
| \`era-store.ts\` | Remembers | 48 |

See [the specification](https://modelcontextprotocol.io/specification) and https://example.com/.
`;

export const USER: readonly UserPart[] = [
  {
    kind: 'text',
    text: 'Why does the second server connect twice? Look at @src/open.ts and tell me where the retry lives.',
  },
  { kind: 'attachment', label: 'src/open.ts', text: 'a\nb\nc' },
  { kind: 'image', mediaType: 'image/png', data: 'A'.repeat(54_000) },
];

export const REASONING =
  'The session is opened twice when the first answer is an error.\nI should read the file that remembers eras, and then the transport.';

const CALL: CallView = {
  id: '1',
  agent: 'agent',
  tool: 'filesystem__read_file',
  server: 'filesystem',
  title: 'Read a file',
  arguments: { path: 'src/open-remembering.ts' },
  state: 'done',
  startedAt: 0,
  ms: 1240,
  answer: {
    id: '1',
    tool: 'filesystem__read_file',
    isError: false,
    parts: [
      {
        kind: 'text',
        text: Array.from({ length: 131 }, (_, line) => `line ${line + 1} of the file`).join('\n'),
      },
    ],
  },
};

export const CALLS: Readonly<Record<string, CallView>> = {
  announced: {
    ...CALL,
    state: 'announced',
    server: '',
    tool: 'filesystem__read_file',
    arguments: {},
  },
  running: {
    ...CALL,
    state: 'running',
    progress: { done: 4, total: 10, message: 'reading the second half' },
  },
  waiting: {
    ...CALL,
    state: 'waiting',
    server: 'workspace',
    tool: 'workspace__run_command',
    arguments: { command: 'npm test -- --run', timeout_seconds: 60 },
  },
  done: CALL,
  failed: {
    ...CALL,
    state: 'failed',
    agent: 'researcher',
    server: 'github',
    tool: 'github__search_issues',
    arguments: { query: 'is:open retry', limit: 20 },
    answer: {
      id: '1',
      tool: 'x',
      isError: true,
      parts: [{ kind: 'text', text: 'HTTP 403: rate limit exceeded\nretry after 60 s' }],
    },
  },
  cancelled: { ...CALL, state: 'cancelled' },
};

export const EDIT_CALL: CallView = {
  ...CALL,
  server: 'workspace',
  tool: 'workspace__edit_file',
  arguments: {
    path: 'src/open.ts',
    old_text: 'const retries = 2;\nconst era = "legacy";',
    new_text: 'const retries = 1;\nconst era = lastEra ?? "modern";\nconst isRemembered = true;',
  },
  answer: {
    id: '1',
    tool: 'x',
    isError: false,
    parts: [{ kind: 'text', text: 'Changed src/open.ts: 1 replacement.' }],
  },
};

const BEFORE = [
  'import { open } from "./open.ts";',
  '',
  'export function start() {',
  '  const retries = 2;',
  '\treturn open(retries);',
  '}',
  '',
].join('\n');

export const APPROVALS: Readonly<Record<string, PendingApproval>> = {
  call: {
    id: 'a',
    server: 'github',
    tool: 'create_issue',
    asker: 'researcher',
    arguments: {
      owner: 'plugboard',
      repo: 'plugboard',
      title: 'The second server connects twice',
      labels: ['bug', 'connection'],
      body: 'Steps:\n1. start\n2. wait',
    },
    why: 'no rule allows it',
    offers: ['once', 'session', 'always', 'always-here'],
  },
  command: {
    id: 'b',
    server: 'workspace',
    tool: 'run_command',
    asker: 'agent',
    arguments: {
      command: 'npm test -- --run "packages/cli" && rm -rf ./dist # then build',
      timeout_seconds: 60,
    },
    why: 'it runs a command',
    offers: ['once', 'session', 'always', 'always-here'],
    kept: {
      rules: ['workspace/run_command(npm test *)', 'workspace/run_command'],
      file: '~/.config/plugboard/settings.json',
    },
  },
  change: {
    id: 'c',
    server: 'workspace',
    tool: 'edit_file',
    asker: 'agent',
    arguments: {
      path: 'src/start.ts',
      old_text: '  const retries = 2;',
      new_text: '  const retries = 1; // once is enough',
    },
    why: 'it changes a file',
    offers: ['once', 'session', 'always-here'],
    preview: {
      path: 'src/start.ts',
      before: BEFORE,
      after: BEFORE.replace('retries = 2;', 'retries = 1; // once is enough'),
    },
  },
};

const FACTS = { description: undefined, isRequired: true } as const;

export const FORM: AskedForm = {
  kind: 'form',
  message: 'Which account do you want to use?\nIt is created if there is none.',
  soundsSecret: false,
  fields: [
    {
      ...FACTS,
      kind: 'text',
      name: 'name',
      title: 'Name',
      format: undefined,
      minLength: 2,
      maxLength: 40,
      default: undefined,
      soundsSecret: false,
    },
    {
      ...FACTS,
      kind: 'text',
      name: 'mail',
      title: 'E-mail',
      format: 'email',
      minLength: undefined,
      maxLength: undefined,
      default: undefined,
      soundsSecret: false,
      description: 'Where the bill goes.',
    },
    {
      ...FACTS,
      isRequired: false,
      kind: 'number',
      name: 'seats',
      title: 'Seats',
      isInteger: true,
      minimum: 1,
      maximum: 20,
      default: 3,
    },
    { ...FACTS, kind: 'boolean', name: 'news', title: 'News by mail', default: undefined },
    {
      ...FACTS,
      kind: 'choice',
      name: 'plan',
      title: 'Plan',
      options: [
        { value: 'free', title: 'Free' },
        { value: 'team', title: 'Team' },
        { value: 'all', title: 'Everything' },
      ],
      default: 'team',
    },
    {
      ...FACTS,
      isRequired: false,
      kind: 'choices',
      name: 'regions',
      title: 'Regions',
      options: [
        { value: 'eu', title: 'Europe' },
        { value: 'us', title: 'America' },
      ],
      minItems: 1,
      maxItems: undefined,
      default: undefined,
    },
  ],
};

export const PAGE: AskedPage = {
  kind: 'url',
  message: 'Sign in to go on.',
  url: 'https://login.xn--exmple-cua.com/authorize?client_id=plugboard&state=6f1c2a0e9b&redirect_uri=http%3A%2F%2F127.0.0.1%3A4000%2Fcallback',
  host: 'login.xn--exmple-cua.com',
  readsAs: 'login.exämple.com',
  warnings: ['punycode'],
  waitsFor: 'done',
  finished: new AbortController().signal,
};

export const SERVERS: readonly ServerRow[] = [
  {
    name: 'codebase',
    state: 'ready',
    tools: 7,
    source: 'built in',
    actions: ['reconnect', 'disable'],
  },
  { name: 'filesystem', state: 'connecting', tools: 0, source: '.mcp.json', actions: ['disable'] },
  {
    name: 'github',
    state: 'needs-sign-in',
    detail: 'it requires a sign-in',
    tools: 0,
    source: 'user settings',
    actions: ['login', 'disable'],
  },
  {
    name: 'postgres',
    state: 'failed',
    detail: 'the program ended with code 1: connection refused at 127.0.0.1:5432',
    tools: 12,
    source: '.mcp.json',
    actions: ['reconnect', 'disable'],
  },
  { name: 'playwright', state: 'disabled', tools: 0, source: 'user settings', actions: ['enable'] },
  {
    name: 'crypto-miner',
    state: 'blocked',
    detail: 'by a policy list',
    tools: 0,
    source: '.mcp.json',
    actions: [],
  },
];

export const OPENING: Opening = {
  version: '0.1.0',
  folder: '/home/ada/projects/plugboard',
  model: { kind: 'chosen', name: 'anthropic/claude-sonnet-4-5' },
  servers: 6,
  builtIn: 2,
  problems: [],
  mode: 'ask',
};

export const NO_MODEL: Opening = {
  ...OPENING,
  model: {
    kind: 'none',
    ways: [
      { provider: 'Anthropic', set: 'ANTHROPIC_API_KEY' },
      { provider: 'OpenAI', set: 'OPENAI_API_KEY' },
      { provider: 'Google', set: 'GOOGLE_GENERATIVE_AI_API_KEY' },
      {
        provider: 'Ollama, vLLM, LM Studio',
        set: '--model openai-compatible/<name> --base-url http://127.0.0.1:11434/v1',
      },
    ],
  },
};
