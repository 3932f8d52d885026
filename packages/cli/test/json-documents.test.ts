// The examples of docs/cli-json.md are what the command prints.

import { readFile } from 'node:fs/promises';
import { Transcripts } from '@plugboard/agent';
import { everything, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../src/commands/command-line.ts';
import { visibleCommands } from '../src/commands/cursor.ts';
import { stepsOf } from './documents/command-lines.ts';
import { documentOf, type Sandbox, sandbox, VERSION } from './sandbox.ts';

const GUIDE = new URL('../../../docs/cli-json.md', import.meta.url);
/** Commands with one event per line. The test of `run` compares the answers of a model. */
const EVENTS = /```sh\n\$ plugboard (.+)\n```\n+```jsonl\n([\s\S]+?)```/g;
const EXAMPLE = /```sh\n\$ plugboard (.+)\n```\n+```json\n([\s\S]+?)```/g;

interface LongDocument {
  readonly tools?: readonly unknown[];
  readonly resources?: readonly unknown[];
  readonly prompts?: readonly unknown[];
  readonly frames?: readonly { readonly kind: string; readonly method?: string }[];
  readonly script?: string;
  readonly dearest?: readonly unknown[];
  readonly lines?: readonly unknown[];
  readonly $schema?: string;
}

/** The guide shows one item of each list, and only the beginning of texts. */
function shortened(document: LongDocument): unknown {
  const { tools, resources, prompts, frames, script, dearest, lines } = document;
  if (script !== undefined) return { ...document, script: script.split('\n', 1)[0] };
  if (document.$schema !== undefined) {
    return Object.fromEntries(
      Object.entries(document).filter(([, value]) => typeof value === 'string'),
    );
  }
  if (dearest !== undefined) return { ...document, dearest: dearest.slice(0, 1) };
  // The last output of a server depends on how it was stopped.
  if (lines !== undefined) return { ...document, lines: lines.slice(0, 1) };
  if (tools !== undefined) return { ...document, tools: tools.slice(0, 1) };
  if (resources !== undefined) return { ...document, resources: resources.slice(0, 1) };
  if (prompts !== undefined) return { ...document, prompts: prompts.slice(0, 1) };
  if (frames === undefined) return document;
  const listed = frames.filter(({ kind, method }) => kind === 'result' && method === 'tools/list');
  return { ...document, frames: listed.slice(-1) };
}

/** Replaces values that differ between runs and machines. */
function unvarying(json: string): string {
  return json
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-15T10:00:00.000Z')
    .replaceAll(/created at [\d:]+ [AP]M/g, 'created at 10:00:00 AM')
    .replaceAll(/"ms":\d+/g, '"ms":42')
    .replaceAll(/\d{14}-[\da-f]{8}/g, '20261115100000-981d7480')
    .replaceAll(/listed in [\d.]+ m?s/g, 'listed in 42 ms')
    .replaceAll(`"detail":"${process.execPath}"`, '"detail":"/usr/bin/npx"');
}

const output = { write: () => {}, isTty: false, hasColour: false, columns: 80 };
const input = {
  isTty: false,
  ask: () => expect.unreachable('nothing is asked'),
  readAll: () => expect.unreachable('nothing is read'),
};
const terminal = { input, out: output, err: output, interrupted: new AbortController().signal };
const program = commandLine(
  { terminal, version: VERSION, isJson: true, trust: 'stored' },
  { done: () => {}, writeHelp: () => {} },
);

/** All commands in the help. Subcommands include the name of their group. */
const COMMANDS = visibleCommands(program).flatMap((command) => {
  const own = visibleCommands(command).map((each) => `${command.name()} ${each.name()}`);
  return own.length === 0 ? [command.name()] : own;
});

/** Commands without a document, or with one that this page cannot produce. The guide describes each. */
const WITHOUT_DOCUMENT: readonly string[] = [
  ...['chat', 'codebase', 'console', 'help', 'run'],
  ...['login', 'logout', 'auth import', 'approvals', 'check'],
  ...['secret set', 'plugin configure'],
  ...['snippets show', 'snippets add', 'snippets run', 'snippets remove'],
];

/** `undefined` for words that are not a command. */
function commandIn(line: string): string | undefined {
  const [first = '', second = ''] = line.split(' ');
  return COMMANDS.find((name) => name === first || name === `${first} ${second}`);
}

function wordsOf(line: string): readonly string[] {
  return line.split(' ').map((word) => word.replaceAll("'", ''));
}

/** The data of the examples: a secret, a plugin to install, a server of another host, a conversation. */
async function furnish(box: Sandbox): Promise<void> {
  const storing = await box.run(['secret', 'set', 'GITHUB_TOKEN'], { stdin: 'a token' });
  expect(storing.code).toBe(0);
  await box.write('tools/plugin.json', '{ "name": "tools", "version": "1.0.0" }');
  const db = { command: '${PLUGIN_ROOT}/run', args: ['--fast'], env: { DB_URL: '${DB_URL:-}' } };
  await box.write('tools/.mcp.json', JSON.stringify({ db }));
  const tickets = { url: 'https://tickets.example/mcp' };
  await box.write('../home/.cursor/mcp.json', JSON.stringify({ mcpServers: { tickets } }));
  const place = { state: `${box.home}/.state/plugboard`, folder: box.project };
  const conversation = new Transcripts(place).begin('anthropic/claude-sonnet-5-5');
  conversation.add({ kind: 'user', parts: [{ kind: 'text', text: 'what is in the box?' }] });
  await conversation.settled();
}

describe('docs/cli-json.md', () => {
  verifies('CLI-03');

  it('shows the document of every command', async () => {
    await using box = await sandbox({
      everything: everything(),
      docs: {
        type: 'http',
        url: 'https://example.com/mcp',
        headers: { Authorization: 'Bearer ${DOCS_TOKEN}' },
      },
    });
    await furnish(box);
    const server = [everything().command, ...everything().args].join(' ');
    const page = await readFile(GUIDE, 'utf8');
    const examples = [...page.matchAll(EXAMPLE)];
    const transcripts = stepsOf(page).filter(
      (step) => 'place' in step && step.place === 'transcript',
    );
    const events = [...page.matchAll(EVENTS)];
    expect(examples.length + events.length).toBe(transcripts.length);
    for (const [, line = '', lines = ''] of events) {
      if (!lines.startsWith('{"kind":"error"')) continue;
      expect(await box.run(wordsOf(line))).toEqual({ code: 1, stdout: lines, stderr: '' });
    }
    const shown = new Set<string | undefined>();
    for (const [, line = '', json = ''] of examples) {
      const run = await box.run(wordsOf(line));
      const printed = unvarying(JSON.stringify(documentOf(run)))
        .replaceAll(server, 'npx -y @modelcontextprotocol/server-everything')
        .replaceAll(box.project, '/home/me/project')
        .replaceAll(box.home, '/home/me')
        .replaceAll(`"${VERSION}"`, '"0.1.0"');
      expect({ line, document: shortened(JSON.parse(printed) as LongDocument) }).toEqual({
        line,
        document: JSON.parse(json) as unknown,
      });
      shown.add(commandIn(line));
    }
    const missing = COMMANDS.filter((name) => !shown.has(name) && !WITHOUT_DOCUMENT.includes(name));
    expect(missing, 'show their documents in docs/cli-json.md').toEqual([]);
    const needless = WITHOUT_DOCUMENT.filter((name) => shown.has(name) || !COMMANDS.includes(name));
    expect(needless, 'take them out of WITHOUT_DOCUMENT').toEqual([]);
  });

  it('is right that the help of every command is a document', async () => {
    await using box = await sandbox();
    const documents = await Promise.all(
      COMMANDS.map(async (name) =>
        documentOf(await box.run([...name.split(' '), '--help', '--json'])),
      ),
    );
    expect(documents).toEqual(
      COMMANDS.map((name) => ({ help: expect.stringContaining(`plugboard ${name}`) as string })),
    );
  });
});
