// What the pages need to be run, and which of their lines do something else than to end with 0 and ask nothing.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  everything,
  filesystem,
  freePort,
  github,
  type Script,
  scriptedServer,
  zipOf,
} from '@plugboard/testkit';
import { expect } from 'vitest';
import { type ProgramResult, REPOSITORY, type World } from './world.ts';

export interface LinePlan {
  /** The exit code; 0 unless given. */
  readonly code?: number;
  /** How it is run; by a shell, unless given. */
  readonly by?: (world: World, line: string) => Promise<ProgramResult>;
}

export interface PagePlan {
  /** The name of the project's folder, `project` unless given. */
  readonly project?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly prepare?: (world: World) => Promise<void>;
  /** By their commands. */
  readonly lines?: Readonly<Record<string, LinePlan>>;
  /** What a reader puts something else for. */
  readonly placeholders?: Readonly<Record<string, string | ((world: World) => string)>>;
  /** What must be true once all was run. */
  readonly after?: (world: World) => Promise<void>;
}

/** Transcripts of these pages are run by a test of their own: json-documents.test.ts. */
export const RUN_ELSEWHERE: readonly string[] = ['docs/cli-json.md'];

const EVERYTHING = '-y @modelcontextprotocol/server-everything';
const WITH_A_KEY = { ANTHROPIC_API_KEY: 'a-key' };
const SIGN_IN_NAME = { NAME: { url: 'https://example.com/mcp' } };

const asked = (...turns: readonly (readonly [question: string, keys: string])[]): LinePlan => ({
  by: (world, line) => world.ask(line, turns),
});
/** Run beside the story of the page: all is afterwards as it was before. */
const aside: LinePlan = { by: (world, line) => world.aside(() => world.run(line)) };
/** Run after another line, which makes what the page speaks of. */
const after = (first: string): LinePlan => ({
  by: (world, line) => world.run(`${first} && ${line}`),
});
const piped = (text: string): LinePlan => ({ by: (world, line) => world.run(line, text) });

const ALIAS = 'alias plugboard="node $PWD/packages/cli/bin/plugboard.js"';
const aliased: LinePlan = { by: (world, line) => world.run(`${line}\nplugboard --version`) };

/** At a free port, whatever the page says: other programs of this machine may listen there. */
const servedConsole: LinePlan = {
  by: (world, line) => world.serve(`${line} --port 0`, /Ctrl-C/),
};
const servedOverHttp: LinePlan = {
  by: (world, line) => world.serve(`${line} 0`, /Ctrl-C stops it/),
};

/** The same. The page ends it later on. */
const keptInBackground: LinePlan = { by: (world, line) => world.run(`${line} --http 0`) };

/** Of a page that does not end it itself. */
const startedAndEnded: LinePlan = {
  by: (world, line) => world.run(`${line} --http 0 && plugboard serve --stop`),
};

/** Servers of the person's own settings, which need no approval. */
async function own(world: World, servers: Readonly<Record<string, object>>): Promise<void> {
  await world.write(
    '~/.config/plugboard/settings.json',
    JSON.stringify({ mcpServers: servers }, null, 2),
  );
}

/** The person opens the address that is shown in a browser elsewhere, and pastes where it ends. */
const pastes: LinePlan = {
  by: (world, line) =>
    world.reply(line, /Address: /, async (said) => {
      const [, address = ''] = /^ {2}(https:\S+)$/m.exec(said) ?? [];
      return `${await world.issuer.browse(address)}\n`;
    }),
};

/** The person enters the code on another device. */
const entersCode: LinePlan = {
  by: (world, line) =>
    world.reply(line, /[A-Z]{4}-[A-Z]{4}/, (said) => {
      const [code = ''] = /[A-Z]{4}-[A-Z]{4}/.exec(said) ?? [];
      world.issuer.approveDevice(code);
      return Promise.resolve('');
    }),
};

/** Tokens of a sign-in that was made elsewhere. */
const imports: LinePlan = {
  by: (world, line) => world.run(line, tokensOf(world)),
};

function tokensOf({ issuer }: World): string {
  const token = issuer.accessTokens.at(-1);
  return JSON.stringify({ access_token: token?.value, scope: 'read', token_type: 'Bearer' });
}

/** What a page adds or shows as a server must work as one. */
async function connects(world: World, names: readonly string[]): Promise<void> {
  const { printed } = await world.run('plugboard list --check --json 2>/dev/null');
  const { servers } = JSON.parse(printed) as {
    readonly servers: readonly { readonly name: string; readonly state: string }[];
  };
  const states = servers.map(({ name, state }) => `${name} ${state}`);
  expect(states).toEqual(expect.arrayContaining(names.map((name) => `${name} ready`)));
}

/** The last conversation of the project. */
function conversationOf({ home }: World): string {
  const folder = join(home, '.local/state/plugboard/conversations');
  if (!existsSync(folder)) return '';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const last =
    files
      .filter((file) => file.endsWith('.jsonl'))
      .toSorted()
      .at(-1) ?? '';
  return last.slice(last.lastIndexOf('/') + 1, -'.jsonl'.length);
}

/** A plugin folder with one server. */
async function plugin(world: World, folder: string): Promise<void> {
  const about = { name: 'tools', version: '1.0.0', description: 'Works with our database' };
  await world.write(`${folder}/.claude-plugin/plugin.json`, JSON.stringify(about));
  const command = '${CLAUDE_PLUGIN_ROOT}/run';
  const db = { command, args: ['--config', 'my config.json'], env: { DB_URL: 'x' } };
  await world.write(`${folder}/.mcp.json`, JSON.stringify({ db }));
}

const BUNDLE = zipOf([
  { name: 'index.js', data: '// the server' },
  {
    name: 'manifest.json',
    data: JSON.stringify({
      manifest_version: '0.3',
      name: 'files',
      version: '1.0.0',
      description: 'Reads files',
      author: { name: 'somebody' },
      server: {
        type: 'node',
        entry_point: 'index.js',
        mcp_config: { command: 'node', args: ['${__dirname}/index.js', '${user_config.folders}'] },
      },
      user_config: {
        folders: { type: 'directory', title: 'Folders', description: '', multiple: true },
        level: { type: 'number', title: 'Level', description: '', default: 1 },
      },
    }),
  },
]);

const SKILL = 'skill://pdf/SKILL.md';
const SKILL_TEXT = '---\nname: pdf\ndescription: Works\n---\n\nThe body.\n';
const SKILLED: Script = {
  library: {
    skills: [
      {
        uri: SKILL,
        frontmatter: { name: 'pdf', description: 'Works' },
        resources: [
          {
            uri: SKILL,
            digest: `sha256:${createHash('sha256').update(SKILL_TEXT).digest('hex')}`,
            size: SKILL_TEXT.length,
          },
        ],
      },
    ],
    resources: [{ uri: SKILL, name: 'SKILL.md', mimeType: 'text/markdown', text: SKILL_TEXT }],
  },
};

const RETRY = `/** Waits longer before each retry. */
export function delayBeforeRetry(attempt: number): number {
  return 1000 * 2 ** attempt;
}
`;

const HAS_JQ = existsSync('/usr/bin/jq');
const FREE_PORT = await freePort();
const OTHER_PORT = await freePort();

/** For pages without a plan: a model that has a key, and a server NAME that wants a sign-in. */
export const USUAL: PagePlan = {
  env: WITH_A_KEY,
  prepare: (world) => own(world, SIGN_IN_NAME),
};

export const PAGES: Readonly<Record<string, PagePlan>> = {
  'README.md': {
    env: WITH_A_KEY,
    async prepare(world) {
      await symlink(join(REPOSITORY, 'packages'), join(world.project, 'packages'));
    },
    after: (world) => connects(world, ['demo']),
    lines: { [ALIAS]: aliased, 'plugboard console': servedConsole },
  },
  'docs/command.md': {
    project: 'plugboard',
    env: WITH_A_KEY,
    async prepare(world) {
      for (const name of ['.mcp.json', 'README.md', 'docs']) {
        await cp(join(REPOSITORY, name), join(world.project, name), { recursive: true });
      }
      for (const name of ['node_modules', 'packages']) {
        await symlink(join(REPOSITORY, name), join(world.project, name));
      }
      await plugin(world, 'PATH');
    },
    placeholders: { 'SERVER/TOOL': 'everything/echo' },
    after: (world) => connects(world, ['everything', 'files', 'docs', 'context7']),
    lines: {
      'plugboard serve --http': servedOverHttp,
      'npx plugboard tools everything': asked(['[y/N] ', 'y\r']),
      'plugboard secret set CONTEXT7': asked(['Value', 'a-value\r']),
      'plugboard remove NAME': aside,
      'plugboard secret set NAME': asked(['Value', 'a-value\r']),
      [ALIAS]: aliased,
    },
  },
  'packages/codebase/README.md': {
    // Another port than that of the next page, and of those who run these tests at the same time.
    placeholders: { '/path/to/code': (world) => world.project, '--http': `--http ${OTHER_PORT}` },
    lines: {
      'npx @plugboard/codebase --root /path/to/code --http': {
        by: (world, line) => world.serve(line, /127\.0\.0\.1/),
      },
    },
  },
  'docs/gateway.md': {
    placeholders: { 'SERVER/TOOL': 'everything/echo', NAME: 'work' },
    async prepare(world) {
      const gateway = { profiles: { work: { servers: ['everything'] } } };
      await world.write(
        '~/.config/plugboard/settings.json',
        JSON.stringify({ mcpServers: { everything: everything() }, gateway }),
      );
    },
    lines: {
      'plugboard serve --http': servedOverHttp,
      'plugboard serve --background': keptInBackground,
    },
  },
  'docs/console.md': {
    prepare: (world) => own(world, { everything: everything() }),
    lines: {
      'plugboard console': servedConsole,
      'plugboard console --no-open': servedConsole,
      'plugboard serve --console': {
        by: (world, line) => world.serve(`${line} --http 0`, /Ctrl-C/),
      },
    },
  },
  'docs/architecture.md': {
    prepare: (world) => own(world, { everything: everything() }),
  },
  'docs/walks.md': {
    prepare: (world) => own(world, { everything: everything() }),
  },
  'docs/authorization.md': {
    async prepare(world) {
      await own(world, SIGN_IN_NAME);
      const docs = '"docs": { "url": "https://example.com/mcp" }';
      await world.write('.mcp.json', `{\n  "mcpServers": {\n    ${docs}\n  }\n}\n`);
      await world.run('plugboard trust docs');
    },
    lines: {
      'plugboard call docs search query=x': { code: 4 },
      'plugboard auth import docs < tokens.json': {
        async by(world, line) {
          await world.write('tokens.json', tokensOf(world));
          return world.run(line);
        },
      },
      'plugboard login NAME --no-browser': pastes,
      'plugboard login NAME --device': entersCode,
      'plugboard auth import NAME': imports,
    },
  },
  'docs/chat.md': {
    env: WITH_A_KEY,
    async prepare(world) {
      await own(world, { NAME: everything() });
      await world.write('notes.txt', 'one\n');
      await world.run('rm -r .git && git init -q && git add notes.txt && echo two >> notes.txt');
    },
    placeholders: { '20261115220117-981d7480': conversationOf },
    lines: {
      [`plugboard run --json --max-steps 20 --budget 0.50 "…" | jq -r 'select(.kind == "text").text'`]:
        { by: (world, line) => world.run(HAS_JQ ? line : (line.split(' | ')[0] ?? '')) },
    },
  },
  'docs/cli-json.md': {
    env: WITH_A_KEY,
    prepare: (world) => own(world, { ...SIGN_IN_NAME, library: scriptedServer(SKILLED) }),
    lines: {
      'plugboard run --json': piped('hello'),
      'plugboard serve --http --json': {
        by: (world, line) => world.serve(line.replace('--http', '--http 0'), /"url"/),
      },
      'plugboard console --json': {
        by: (world, line) => world.serve(`${line} --port 0`, /"console"/),
      },
      'plugboard serve --background --json': startedAndEnded,
      'plugboard skills NAME --json': {
        by: (world, line) => world.run(line.replace('NAME', 'pdf')),
      },
      'plugboard auth import NAME --json': imports,
    },
  },
  'docs/code-mode.md': {
    ...USUAL,
    prepare: (world) => world.write('total.ts', 'return 1 + 1;').then(() => {}),
    placeholders: { FILE: 'total.ts', NAME: 'total' },
    lines: {
      'plugboard snippets add NAME FILE': asked(['Approve this script?', 'y\r']),
    },
  },
  'docs/codebase.md': {
    async prepare(world) {
      await world.write('retry.ts', RETRY);
      await world.write('~/documents/retries.md', '# Retries\n');
    },
    // Another port, since several may run these tests on one machine.
    placeholders: {
      '/path/to/code': (world) => world.project,
      '/path/to/documents': (world) => join(world.home, 'documents'),
      7345: String(FREE_PORT),
    },
    lines: {
      'plugboard-codebase --root /path/to/code --http 7345': {
        by: (world, line) => world.serve(line, /127\.0\.0\.1/),
      },
      'plugboard-codebase --root /path/to/code --root docs=/path/to/documents --http 0': {
        by: (world, line) => world.serve(line, /127\.0\.0\.1/),
      },
    },
  },
  'docs/configuration.md': {
    env: { PLUGBOARD_CODEBASE: 'off' },
    placeholders: { SHELL: 'bash' },
    lines: {
      'plugboard trust': aside,
      'plugboard tools search --trust-project': aside,
      'plugboard trust search --revoke': aside,
      'plugboard explain NAME': after(`plugboard add NAME -- npx ${EVERYTHING}`),
      'plugboard disable ide': after(`plugboard add ide -- npx ${EVERYTHING}`),
      'plugboard login NAME': after('plugboard add NAME https://example.com/mcp --force'),
    },
  },
  'docs/import.md': {
    async prepare(world) {
      const docs = {
        url: 'https://example.com/mcp',
        headers: { Authorization: 'Bearer ${env:DOCS_TOKEN}' },
        auth: {},
      };
      const cursor = { docs, github: { command: 'github' }, files: { command: 'files' } };
      await world.write('~/.cursor/mcp.json', JSON.stringify({ mcpServers: cursor }, null, 2));
    },
    lines: {
      'plugboard import': asked(['for none: ', 'none\r']),
      'plugboard secret set NAME': asked(['Value', 'a-value\r']),
    },
  },
  'docs/permissions.md': {
    placeholders: { '/home/me': (world) => world.home },
    async prepare(world) {
      const mcpServers = { files: filesystem(world.project), github: github(), shop: everything() };
      await world.write('.mcp.json', JSON.stringify({ mcpServers }));
      await world.run('plugboard trust files && plugboard tools files');
    },
  },
  'docs/pins.md': {
    async prepare(world) {
      const read = { name: 'read', description: 'Reads a file.', result: { content: [] } };
      const changed = { ...read, description: 'Reads a file, and more.' };
      const swap = { at: join(world.project, 'swapped'), tools: [changed] };
      await own(world, { files: scriptedServer({ builtIns: [], tools: [read], swap }) });
      await world.run('plugboard tools');
      await world.write('swapped', '');
      await world.run('plugboard tools --refresh');
    },
    placeholders: { NAME: 'files' },
  },
  'docs/plugins.md': {
    async prepare(world) {
      await plugin(world, 'tools');
      await world.write('files.mcpb', BUNDLE);
      await world.run('plugboard plugin add files.mcpb --set folders=.');
    },
  },
  'docs/real-servers.md': { placeholders: { '…': '127.0.0.1:1' } },
  'docs/requirements.md': {
    ...USUAL,
    placeholders: { URL: 'https://example.com/mcp' },
  },
  'docs/settings.md': {
    prepare: (world) => world.write('.plugboard/settings.json', '{}').then(() => {}),
  },
};
