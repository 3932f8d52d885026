// An agent in a program: a model, the tools of MCP servers, and turns. The parts are those that docs/agent.md quotes. Run
// from the root of the repository, after a build; whatever is not as expected ends it with an error.

import assert from 'node:assert/strict';
import { tempFolder } from '@plugboard/testkit';
import { scripted } from './scripted-model.ts';
// <agent>
import {
  chooseModel,
  Conversation,
  createModel,
  delegateTool,
  HostToolbox,
  Spending,
  systemPrompt,
  withOwnTools,
} from '@plugboard/agent';
import { createWorkspace } from '@plugboard/agent/workspace';
import { createHost } from '@plugboard/host';

const choice = chooseModel({ env: process.env });
if (choice.kind === 'none') throw new Error(`no model: ${choice.problem.kind}`);
const model = createModel(choice.model);

const program = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const everything = { command: 'node', args: [program, 'stdio'], cwd: 'project' };
await using host = await createHost({
  servers: { everything },
  files: 'none',
  approve: ({ tool }) =>
    tool.tool === 'get-env' ? { kind: 'deny', reason: 'variables are private' } : { kind: 'allow' },
});

const { contextTokens } = model;
using toolbox = new HostToolbox({ host, contextTokens, firstWaitMs: 10_000 });
const system = (): string =>
  systemPrompt({
    folder: process.cwd(),
    platform: process.platform,
    ...toolbox.promptFacts(),
  });
const conversation = new Conversation({
  model,
  toolbox,
  system,
  firstTools: (signal) => toolbox.firstTools(signal),
});
// </agent>

const answers: string[] = [];
// <turn>
const ask = { kind: 'user', parts: [{ kind: 'text', text: 'What is 2 and 3?' }] } as const;
for await (const event of conversation.send(ask, AbortSignal.timeout(30_000))) {
  if (event.kind === 'text') process.stdout.write(event.text);
  if (event.kind === 'call-ended') answers.push(JSON.stringify(event.answer.parts));
  if (event.kind === 'turn-ended') console.log(`\n${event.end.kind}`);
}
// </turn>

assert.equal(answers.length, 2);
assert.match(answers.join('\n'), /The sum of 2 and 3 is 5\./);
assert.match(answers.join('\n'), /variables are private/);
assert.deepEqual(
  conversation.messages.map(({ kind }) => kind),
  ['user', 'assistant', 'tool', 'assistant'],
);
assert.deepEqual(conversation.messages.at(-1), {
  kind: 'assistant',
  parts: [{ kind: 'text', text: 'It is 5.' }],
});

await using folder = await tempFolder();
// <workspace>
await using workspace = createWorkspace({ root: folder.path });
await host.addServer('workspace', workspace.server());
await host.tools({ servers: ['workspace'] });
const preview = await workspace.preview('write_file', { path: 'sum.txt', content: '5\n' });
// </workspace>

assert.deepEqual(preview, {
  kind: 'change',
  path: 'sum.txt',
  replaces: 'nothing',
  before: undefined,
  after: '5\n',
});
assert.equal(await lastWords(conversation, 'Write it down.'), 'It is written.');
assert.equal(await folder.read('sum.txt'), '5\n');

// <delegate>
const spending = new Spending({ dollars: 1 });
const delegate = delegateTool({ toolbox, model: () => model, system, spending });
const tools = withOwnTools(toolbox, [delegate]);
const leading = new Conversation({ model, toolbox: tools, system, spending });
// </delegate>

assert.equal(await lastWords(leading, 'Have somebody say hi.'), 'The reader says: it said hi.');
assert.equal(leading.totals.requests, 4);
assert.equal(scripted.requests.length, 8);
await scripted.close();

async function lastWords(talk: Conversation, text: string): Promise<string> {
  const message = { kind: 'user', parts: [{ kind: 'text', text }] } as const;
  for await (const event of talk.send(message, AbortSignal.timeout(30_000))) {
    if (event.kind === 'turn-ended' && event.agent === 'agent') {
      assert.deepEqual(event.end, { kind: 'done' });
    }
  }
  const last = talk.messages.at(-1);
  return last?.kind === 'assistant'
    ? last.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
    : '';
}
