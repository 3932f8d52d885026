// The command `plugboard-codebase`. Over stdio nothing but the protocol is on stdout; all words go to stderr.

import { type Logger, type LogLevel, messageOf } from '@plugboard/base';
import { type Asked, HELP, readFlags } from './command-flags.ts';
import { environmentVariable, ownProcess, type OwnProcess, ownVersion } from './platform/index.ts';
import { type Codebase, createCodebase } from './server/index.ts';

type Serving = Extract<Asked, { readonly kind: 'stdio' | 'http' }>;

const USAGE = 2;
const FAILED = 1;

async function start(own: OwnProcess): Promise<void> {
  const asked = readFlags(own.args);
  if (!asked.ok) {
    own.writeError(`error: ${asked.error}\nfix: plugboard-codebase --help\n`);
    own.setExitCode(USAGE);
    return;
  }
  const { value } = asked;
  if (value.kind === 'help') return own.writeOutput(HELP);
  if (value.kind === 'version') return own.writeOutput(`${ownVersion()}\n`);
  const codebase = createCodebase({
    root: value.root ?? own.folder,
    cacheFolder: value.cacheFolder,
    logger: loggerTo(own, value.logs),
  });
  own.onStop(() => void codebase.close());
  try {
    await serve(codebase, value, own);
  } catch (thrown) {
    own.writeError(`error: ${messageOf(thrown)}\n`);
    own.setExitCode(FAILED);
    await codebase.close();
  }
}

async function serve(codebase: Codebase, asked: Serving, own: OwnProcess): Promise<void> {
  if (asked.kind === 'stdio') {
    const { ended } = await codebase.serveStdio();
    await ended;
    await codebase.close();
    return;
  }
  const { host, port, allowedHosts, tokenVariable } = asked;
  const token = tokenVariable === undefined ? undefined : environmentVariable(tokenVariable);
  if (tokenVariable !== undefined && (token === undefined || token === '')) {
    own.writeError(`error: the variable ${tokenVariable} is not set\n`);
    own.setExitCode(USAGE);
    return;
  }
  const { url } = await codebase.serveHttp({ host, port, token, allowedHosts });
  own.writeError(`listening on ${url}\n`);
}

const SHOWN: readonly LogLevel[] = ['info', 'warn', 'error'];

function loggerTo(own: OwnProcess, form: 'text' | 'json'): Logger {
  return {
    log(level, message, fields = {}) {
      if (!SHOWN.includes(level)) return;
      if (form === 'json')
        return own.writeError(`${JSON.stringify({ level, message, ...fields })}\n`);
      const words = Object.entries(fields).map(([name, value]) => `${name}: ${String(value)}`);
      return own.writeError(`${level}: ${[message, ...words].join('; ')}\n`);
    },
  };
}

await start(ownProcess());
