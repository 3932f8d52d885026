// Sends a question of a server to the client whose request it belongs to, or to the desk if the client cannot show it and a
// person watches there.

import {
  abortSignalOf,
  type CancelSignal,
  isObject,
  type JsonObject,
  never,
} from '@plugboard/base';
import { type AskedQuestion, readQuestion, type RelayReply } from '@plugboard/host/relay';
import type { QuestionView } from '../console-api.ts';
import { type Client, clientName, deskFor, type Exchange } from '../client/index.ts';
import { textOr } from '../message/index.ts';

export interface ServerQuestion {
  readonly server: string;
  readonly method: string;
  readonly params: JsonObject;
  /** The recorded request of the client that it belongs to. */
  readonly call?: string | undefined;
}

const DECLINE: RelayReply = { result: { action: 'decline' } };
const CANCEL: RelayReply = { result: { action: 'cancel' } };

export async function askUser(
  serverQuestion: ServerQuestion,
  exchange: Exchange,
  signal: CancelSignal,
): Promise<RelayReply> {
  const { client, inScript } = exchange;
  const { method, params } = serverQuestion;
  if (deskFor(client, method, params) === undefined) return exchange.ask(method, params, signal);
  using _pause = inScript?.whileAsked?.();
  return await askAtDesk(
    { ...serverQuestion, call: exchange.record?.id },
    client,
    AbortSignal.any([signal, exchange.signal].map(abortSignalOf)),
  );
}

/** Requires a client that has a desk for the question. */
export async function askAtDesk(
  { server, method, params, call }: ServerQuestion,
  client: Client,
  signal: AbortSignal,
): Promise<RelayReply> {
  const message = textOr(params['message']);
  const { mode, requestedSchema, url } = params;
  const isPage = mode === 'url';
  const schema = isObject(requestedSchema) ? requestedSchema : {};
  const question = readQuestion(
    isPage
      ? { kind: 'url', message, url: textOr(url), waitsFor: 'done' }
      : { kind: 'form', message, schema },
    { finished: never },
  );
  if (!question.ok) return DECLINE;
  const answer = await deskFor(client, method, params)?.ask(
    {
      kind: isPage ? 'page' : 'form',
      server,
      client: clientName(client),
      call,
      message: question.value.message,
      schema: isPage ? undefined : schema,
      url: question.value.kind === 'url' ? question.value.url : undefined,
      warnings: warningsOf(question.value),
      question: question.value,
    },
    { principal: client.principal, owner: client.owner, signal },
  );
  if (answer?.kind === 'decline') return DECLINE;
  if (answer?.kind !== 'accept') return CANCEL;
  const { content } = answer;
  return { result: { action: 'accept', ...(content === undefined ? {} : { content }) } };
}

function warningsOf(question: AskedQuestion): QuestionView['warnings'] {
  if (question.kind === 'url') return question.warnings;
  return question.soundsSecret ? ['asks-secret'] : [];
}
