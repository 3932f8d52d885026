// A program that calls tools as functions with types. `plugboard generate everything` wrote everything.ts. Run from the
// root of the repository, after a build; whatever is not as expected ends it with an error.

import assert from 'node:assert/strict';
// <typed-tools>
import { allowAll, createHost } from '@plugboard/host';
import { everythingTools } from './everything.ts';

const program = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const everything = { command: 'node', args: [program, 'stdio'], cwd: 'project' };
await using host = await createHost({ servers: { everything }, files: 'none', approve: allowAll });

const tools = everythingTools(host);
const outcome = await tools['get-structured-content']({ location: 'New York' });
if (outcome.kind === 'result') console.log(`${outcome.structured?.temperature} °C`);
// </typed-tools>

assert.equal(outcome.kind === 'result' ? outcome.structured?.temperature : outcome, 33);
