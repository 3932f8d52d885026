// Passes a server's question to whoever answers, in both eras. Defaults that the server named fill
// what the answer left out.

import type { Client } from '@modelcontextprotocol/client';
import { isObject, type Json, type JsonObject } from '@plugboard/base';
import type { Answer, InboundPort } from './neutral/inbound.ts';

/** Registers the answerer. The client must have been given the matching capabilities. */
export function answerQuestions(client: Client, elicit: NonNullable<InboundPort['elicit']>): void {
  client.setRequestHandler('elicitation/create', async (request, context) => {
    const { params } = request;
    if (!('requestedSchema' in params)) return { action: 'decline' };
    const schema = params.requestedSchema as unknown as JsonObject;
    const answer = await elicit(
      { kind: 'form', message: params.message, schema },
      context.mcpReq.signal,
    );
    return toWire(answer, schema);
  });
}

type WireAnswer =
  | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' | 'cancel' };

function toWire(answer: Answer, schema: JsonObject): WireAnswer {
  if (answer.kind !== 'accept') return { action: answer.kind };
  // The schema of a form allows nothing but these types; the SDK checks it once more.
  const content = withDefaults(schema, answer.content) as Record<string, string>;
  return { action: 'accept', content };
}

/** The answer, and the default of every field that it leaves out. */
function withDefaults(
  schema: JsonObject,
  content: Readonly<Record<string, Json>>,
): Record<string, Json> {
  const { properties } = schema;
  const filled: Record<string, Json> = { ...content };
  if (!isObject(properties)) return filled;
  for (const [key, property] of Object.entries(properties)) {
    if (Object.hasOwn(filled, key) || !isObject(property)) continue;
    if (property['default'] !== undefined) filled[key] = property['default'];
  }
  return filled;
}
