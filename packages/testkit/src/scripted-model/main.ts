// A scripted model as a process. Arguments: a file with the script as JSON, and a port (0: any free one). It prints its
// address once it listens. `POST /script/release?name=…` releases an answer; `GET /script/requests` returns the
// requests so far.

import { readFileSync } from 'node:fs';
import { startScriptedModel } from './model-server.ts';
import type { ModelScript } from './script.ts';

const [, , file = '', port = '0'] = process.argv;
// A test wrote the file.
const script = JSON.parse(readFileSync(file, 'utf8')) as ModelScript;

void startScriptedModel(script, { port: Number(port) }).then(({ url }) => {
  process.stdout.write(`scripted model at ${url}\n`);
});
