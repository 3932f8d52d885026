// Describes for a model why a server gave no result: what happened, and the server's own words about it. Those words are
// hostile: they are bounded, lose invisible characters and what looks like a secret, and are marked with a bar. Secrets
// that the host knows were hidden before. Pure.

import {
  type Json,
  type JsonObject,
  looksLikeToken,
  shortageFix,
  soundsSecret,
  tellingLines,
} from '@plugboard/base';
import { shownLine } from '../inbound/index.ts';
import { shortenValue } from '../output/index.ts';
import type { ProcessEvidence } from '../protocol/index.ts';
import type { Unavailable } from './call-outcome.ts';

const MOST_LINES = 8;
const LONGEST_LINE = 300;
const LONGEST_MESSAGE = 1000;
const LONGEST_DATA = 2000;
const LONGEST_SCHEMA = 8000;

/** Continues a sentence that begins with the server's name; further lines are the server's words. */
export function failureText(failure: Unavailable): string {
  const { what, said = [] } = explain(failure);
  return [what, ...said.map((each) => `| ${each}`)].join('\n');
}

/** What to do if the system ran out of a resource; `undefined` if that is not the cause. */
export function shortageOf(failure: Unavailable): string | undefined {
  const code = 'code' in failure ? failure.code : undefined;
  return typeof code === 'string' ? shortageFix(code) : undefined;
}

/** The input schema of a tool, as JSON on one line. */
export function schemaText(schema: JsonObject): string {
  return JSON.stringify(shortenValue(schema, LONGEST_SCHEMA));
}

interface Explanation {
  readonly what: string;
  /** The server's own words. */
  readonly said?: readonly string[];
}

function explain(failure: Unavailable): Explanation {
  switch (failure.kind) {
    case 'rpc':
      return {
        what: `refused the request with error ${failure.code}: ${line(failure.message, LONGEST_MESSAGE)}`,
        ...(failure.data === undefined ? {} : { said: [`data: ${dataText(failure.data)}`] }),
      };
    case 'exited': {
      const { code, signal } = failure.exit;
      const how = signal === null ? `with exit code ${code}` : `by signal ${signal}`;
      return { what: `ended ${how}. ${STDERR}`, said: lastLines(failure.evidence) };
    }
    case 'broken-frame':
      return {
        what: `answered with something that is not valid JSON, then what it wrote to stderr:`,
        said: [line(failure.line, LONGEST_LINE), ...lastLines(failure.evidence)],
      };
    case 'timeout':
      return failure.evidence === undefined
        ? { what: `did not answer within ${failure.ms} ms.` }
        : {
            what: `did not answer within ${failure.ms} ms. ${STDERR}`,
            said: lastLines(failure.evidence),
          };
    case 'crash-loop': {
      const { what, said } = explain(failure.last);
      return {
        what: `crashed ${failure.crashes} times within a minute and is left alone for now. It ${what}`,
        ...(said === undefined ? {} : { said }),
      };
    }
    case 'http':
      return {
        what: `answered HTTP ${failure.status}${failure.refusal === undefined ? '.' : `: error ${failure.refusal.code}: ${line(failure.refusal.message, LONGEST_MESSAGE)}`}`,
      };
    case 'invalid-result':
      return {
        what: `sent a result that breaks the protocol: ${line(failure.detail, LONGEST_MESSAGE)}`,
      };
    case 'too-large':
      return {
        what: `sent an answer of ${failure.bytes} bytes, more than the ${failure.limit} allowed. Ask for less at once.`,
      };
    case 'spawn-failed':
    case 'unexpected':
      return { what: `failed: ${line(failure.message, LONGEST_MESSAGE)}` };
    case 'unresolved':
      return {
        what: 'is not completely configured:',
        said: failure.problems.slice(0, MOST_LINES).map(({ message }) => line(message)),
      };
    case 'unreachable':
      return { what: `cannot be reached (${line(failure.code)}).` };
    case 'wrong-era':
      return { what: `does not speak the ${failure.wanted} protocol: ${line(failure.detail)}` };
    default:
      return { what: PLAIN[failure.kind] };
  }
}

const STDERR = 'The last lines that it wrote to stderr:';

/** Failures without further details that would help a model. */
const PLAIN = {
  'command-not-found': 'could not be started: its command is not installed.',
  'not-executable': 'could not be started: its command may not be run.',
  'bad-cwd': 'could not be started: the folder to run it in does not exist.',
  closed: 'closed the connection.',
  'answers-untaken': 'was stopped: it asked for more answers than it took.',
  cancelled: 'was given up on.',
  unauthorized: 'wants the user to sign in.',
  'session-expired': 'has forgotten the session. The call can be made again.',
  'credentials-expired': 'no longer takes the credentials that it was given.',
  'not-mcp': 'does not speak MCP at its address.',
  'unsupported-transport': 'uses a transport that is not supported.',
  'helper-failed': 'has no headers: the command that prints them failed.',
  'broker-failed': 'is shared between programs, and what shares it failed.',
  'runtime-too-old': 'could not be started: it needs a newer runtime than this one.',
  'still-installing': 'is still being installed. The call can be made again later.',
  disabled: 'is disabled by the user.',
  untrusted: 'may not start before the user has approved it.',
  blocked: 'is blocked by a policy.',
} as const;

function lastLines({ stderr, lastStrayLine }: ProcessEvidence): readonly string[] {
  const written = stderr.filter((each) => each.trim() !== '');
  const lines = tellingLines(written, MOST_LINES);
  const stray = lastStrayLine === undefined ? [] : [`(stdout) ${line(lastStrayLine)}`];
  const said = [...lines.map((each) => line(each)), ...stray];
  return said.length === 0 ? ['(nothing)'] : said;
}

function dataText(data: Json): string {
  return line(JSON.stringify(shortenValue(data, LONGEST_DATA)), LONGEST_DATA);
}

function line(text: string, longest: number = LONGEST_LINE): string {
  return shownLine(withoutSecrets(text.slice(0, longest * 4)), longest);
}

const HIDDEN = '(hidden)';
const IN_ADDRESS = /(:\/\/)[^\s/@]{1,300}@/g;
const WORD = /[\w.+/=-]{10,}/g;
const SCHEME = /\b(bearer|basic)\s{1,3}[\w.~+/=-]{8,}/gi;
const NAMED = /([\w-]{1,60})(["']?\s{0,3}[=:]\s{0,3}["']?)([^\s"',;)}\]]{4,})/g;

/** A heuristic: a server's words may contain secrets that the host never saw, such as those of its own files. */
function withoutSecrets(text: string): string {
  return text
    .replaceAll(IN_ADDRESS, `$1${HIDDEN}@`)
    .replaceAll(SCHEME, `$1 ${HIDDEN}`)
    .replaceAll(WORD, (word) => (looksLikeToken(word) ? HIDDEN : word))
    .replaceAll(NAMED, (all: string, name: string, glue: string) =>
      soundsSecret(name) ? `${name}${glue}${HIDDEN}` : all,
    );
}
