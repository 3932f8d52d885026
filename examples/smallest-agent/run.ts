// The smallest agent in a program: a model, a host with its servers, one question. docs/agent.md quotes it. Run from the
// root of the repository, after a build; whatever is not as expected ends it with an error.

import assert from 'node:assert/strict';
import { scripted } from '../agent/scripted-model.ts';
// <smallest>
import { chooseModel, createAgent, createModel } from '@plugboard/agent';
import { createHost } from '@plugboard/host';

const choice = chooseModel({ env: process.env });
if (choice.kind === 'none') throw new Error(`no model: ${choice.problem.kind}`);
const args = ['node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'stdio'];
const servers = { everything: { command: 'node', args } };
await using host = await createHost({ servers, files: 'none', approve: () => ({ kind: 'allow' }) });
using agent = createAgent({ model: createModel(choice.model), host });
const { text, end } = await agent.ask('What is 2 and 3?');
console.log(end.kind === 'done' ? text : end);
// </smallest>

assert.deepEqual({ text, end }, { text: 'It is 5.', end: { kind: 'done' } });
await scripted[Symbol.asyncDispose]();
