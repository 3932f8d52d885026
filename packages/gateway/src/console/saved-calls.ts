// Routes for saved calls, in a file of the project that `plugboard check` runs. The file may have come with the folder:
// a file that cannot be parsed is left unchanged, nothing is written through a link, and rules decide about each call.

import {
  deviations,
  deviationWords,
  isObject,
  type Json,
  type JsonObject,
  messageOf,
  parseJson,
  readSavedCall,
  readSavedCalls,
  type SavedCall,
  savedOutcome,
  Semaphore,
  writeSavedCall,
} from '@plugboard/base';
import { readTextFile, writeFileAtomically } from '@plugboard/host/configuration';
import { redact } from '@plugboard/host/relay';
import type { CheckOutcome, RunRequest, SavedCallsView } from '../console-api.ts';
import type { Console } from './console.ts';
import { type ApiAnswer, type ApiRequest, NO_SERVER, refused, type Route } from './route.ts';
import { outcomeOf, runCall } from './run.ts';

const LIMITS = { maxLength: 16 * 1024 * 1024, maxDepth: 100 };

const FOR_ADMINISTRATORS = refused(403, 'Saved calls are for administrators');
const NO_FILE = refused(409, 'This gateway was started without a file for saved calls');
const GONE = refused(404, 'There is no saved call of this name any more');

type Work = (file: string, request: ApiRequest) => Promise<ApiAnswer>;

export function savedCallRoutes(shown: Console): readonly Route[] {
  const { checks: file } = shown;
  const turn = new Semaphore(1);
  const route = (path: string, work: Work): Route => ({
    method: 'POST',
    path,
    answer: (request) => {
      if (!request.reader.isAdministrator) return FOR_ADMINISTRATORS;
      return file === undefined ? NO_FILE : work(file, request);
    },
  });
  const inTurn =
    (work: Work): Work =>
    (at, request) =>
      turn.run(request.signal, () => work(at, request));
  return [
    {
      method: 'GET',
      path: '/checks',
      answer: async ({ reader }) => {
        if (!reader.isAdministrator) return FOR_ADMINISTRATORS;
        const read = file === undefined ? [] : await checksIn(file);
        if ('reason' in read) return refused(409, read.reason);
        const body: SavedCallsView = { file, checks: read };
        return { kind: 'json', body };
      },
    },
    route('/checks', inTurn(save)),
    route('/checks/remove', inTurn(remove)),
    route('/checks/run', (at, request) => runSaved(at, request, shown)),
  ];
}

/** Replaces the call of the same name, or appends. */
async function save(file: string, { body }: ApiRequest): Promise<ApiAnswer> {
  const call = readSavedCall(body ?? null);
  if (!call.ok) return refused(409, `${call.error.at} ${call.error.reason}`.trim());
  const known = await checksIn(file);
  if ('reason' in known) return refused(409, known.reason);
  const written = writeSavedCall(call.value);
  const isKnown = known.some((check) => check['name'] === written['name']);
  const checks = isKnown
    ? known.map((check) => (check['name'] === written['name'] ? written : check))
    : [...known, written];
  return write(file, checks);
}

async function remove(file: string, { body }: ApiRequest): Promise<ApiAnswer> {
  const known = await checksIn(file);
  if ('reason' in known) return refused(409, known.reason);
  const left = known.filter((each) => each['name'] !== nameIn(body));
  return left.length === known.length ? GONE : write(file, left);
}

async function write(file: string, checks: readonly JsonObject[]): Promise<ApiAnswer> {
  try {
    const text = `${JSON.stringify({ checks }, undefined, 2)}\n`;
    await writeFileAtomically(file, text, { links: 'refuse' });
  } catch (thrown) {
    return refused(409, messageOf(thrown));
  }
  const answer: SavedCallsView = { file, checks };
  return { kind: 'json', body: answer };
}

/** Like the request of any client, it is recorded, and rules or approvals decide about it. */
async function runSaved(file: string, request: ApiRequest, shown: Console): Promise<ApiAnswer> {
  const known = await checksIn(file);
  if ('reason' in known) return refused(409, known.reason);
  const written = known.find((each) => each['name'] === nameIn(request.body));
  const call = written && readSavedCall(written);
  if (call?.ok !== true) return GONE;
  const run = await runCall(requestOf(call.value), request, shown);
  if (run === undefined) return NO_SERVER;
  const { result: _, ...outcome } = outcomeOf(run);
  const { state, ms } = outcome;
  // Compared before secrets are hidden.
  const result = 'error' in run.reply ? undefined : run.reply.result;
  const found = deviations(call.value.expect, { outcome: savedOutcome(state), ms, result });
  const body: CheckOutcome = {
    ...outcome,
    deviations: found.map(deviationWords).map(withoutSecrets),
  };
  return { kind: 'json', body };
}

function requestOf({ server, what }: SavedCall): RunRequest {
  switch (what.kind) {
    case 'tool':
      return { server, kind: 'tool', tool: what.name, arguments: what.arguments };
    case 'prompt':
      return { server, kind: 'prompt', prompt: what.name, arguments: what.arguments };
    case 'resource':
      return { server, kind: 'resource', uri: what.uri };
    default:
      return what satisfies never;
  }
}

const LONGEST_WORDS = 2000;

function withoutSecrets(words: string): string {
  const shown = parseJson(redact(words, LONGEST_WORDS), LIMITS);
  return shown.ok && typeof shown.value === 'string' ? shown.value : '(hidden)';
}

function nameIn(body: Json | undefined): Json | undefined {
  return isObject(body) ? body['name'] : undefined;
}

async function checksIn(
  file: string,
): Promise<readonly JsonObject[] | { readonly reason: string }> {
  const text = await readTextFile(file, { maxBytes: LIMITS.maxLength });
  if (!text.ok) {
    return text.error.kind === 'missing' ? [] : { reason: `${file} cannot be read` };
  }
  const parsed = parseJson(text.value, LIMITS);
  const notSavedCalls = { reason: `${file} is not a file of saved calls, and is left as it is` };
  if (!parsed.ok) return notSavedCalls;
  const read = readSavedCalls(parsed.value);
  if (!read.ok) return notSavedCalls;
  const { checks } = parsed.value as { readonly checks: readonly Json[] };
  return checks as readonly JsonObject[];
}
