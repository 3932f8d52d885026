// A scripted model as a process. Arguments: a file with the script as JSON, and a port (0: any that is free). It prints
// its address once it listens. `POST /script/release?name=…` lets an answer go on; `GET /script/requests` has what was
// asked so far.

import { readFileSync } from 'node:fs';
import { startScriptedModel } from './model-server.ts';
import type { ModelScript } from './script.ts';

const [, , file = '', port = '0'] = process.argv;
// The file is a test's own.
const script = JSON.parse(readFileSync(file, 'utf8')) as ModelScript;

void startScriptedModel(script, { port: Number(port) }).then(({ url }) => {
  process.stdout.write(`scripted model at ${url}\n`);
});
