// Calls that a person saved at the console, in a file of the project that `plugboard check` runs. The file may have come with the folder:
// one that is not understood is left as it is, and nothing is written through a link.

import {
  type Json,
  type JsonObject,
  messageOf,
  parseJson,
  readSavedCall,
  readSavedCalls,
  Semaphore,
  writeSavedCall,
} from '@plugboard/base';
import { readTextFile, writeFileAtomically } from '@plugboard/host/configuration';
import type { SavedCallsView } from '../console-api.ts';
import type { ApiAnswer, ApiRequest, Route } from './route.ts';

const LIMITS = { maxLength: 16 * 1024 * 1024, maxDepth: 100 };

const ONLY_ADMINISTRATORS: ApiAnswer = {
  kind: 'refused',
  status: 403,
  reason: 'Only an administrator can save calls',
};

/** `file`: nothing where calls are not to be saved. */
export function savedCallRoutes(file: string | undefined): readonly Route[] {
  const turn = new Semaphore(1);
  return [
    {
      method: 'GET',
      path: '/checks',
      answer: async ({ reader }) => {
        if (!reader.isAdministrator) return ONLY_ADMINISTRATORS;
        const read = file === undefined ? [] : await checksIn(file);
        if ('reason' in read) return refused(read.reason);
        const body: SavedCallsView = { file, checks: read };
        return { kind: 'json', body };
      },
    },
    {
      method: 'POST',
      path: '/checks',
      answer: (request) => {
        if (!request.reader.isAdministrator) return ONLY_ADMINISTRATORS;
        if (file === undefined)
          return refused('This gateway was started without a file for saved calls');
        return turn.run(request.signal, () => save(file, request));
      },
    },
  ];
}

/** In the place of the one of its name, or at the end. */
async function save(file: string, { body }: ApiRequest): Promise<ApiAnswer> {
  const call = readSavedCall(body ?? null);
  if (!call.ok) return refused(`${call.error.at} ${call.error.reason}`.trim());
  const known = await checksIn(file);
  if ('reason' in known) return refused(known.reason);
  const written = writeSavedCall(call.value);
  const isKnown = known.some((check) => check['name'] === written['name']);
  const checks = isKnown
    ? known.map((check) => (check['name'] === written['name'] ? written : check))
    : [...known, written];
  try {
    const text = `${JSON.stringify({ checks }, undefined, 2)}\n`;
    await writeFileAtomically(file, text, { links: 'refuse' });
  } catch (thrown) {
    return refused(messageOf(thrown));
  }
  const answer: SavedCallsView = { file, checks };
  return { kind: 'json', body: answer };
}

async function checksIn(
  file: string,
): Promise<readonly JsonObject[] | { readonly reason: string }> {
  const text = await readTextFile(file, { maxBytes: LIMITS.maxLength });
  if (!text.ok) {
    return text.error.kind === 'missing' ? [] : { reason: `${file} cannot be read` };
  }
  const parsed = parseJson(text.value, LIMITS);
  const strange = { reason: `${file} is not a file of saved calls, and is left as it is` };
  if (!parsed.ok) return strange;
  const read = readSavedCalls(parsed.value);
  if (!read.ok) return strange;
  const { checks } = parsed.value as { readonly checks: readonly Json[] };
  return checks as readonly JsonObject[];
}

function refused(reason: string): ApiAnswer {
  return { kind: 'refused', status: 409, reason };
}
