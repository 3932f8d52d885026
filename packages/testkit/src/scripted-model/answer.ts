// Plays one turn of a script for one request, in the format of its path.

import type { ServerResponse } from 'node:http';
import { ANTHROPIC_FAILURES, AnthropicWire } from './anthropic-wire.ts';
import { ChatWire, OPENAI_FAILURES } from './chat-wire.ts';
import { GOOGLE_FAILURES, GoogleWire } from './google-wire.ts';
import type { Holds } from './holds.ts';
import { ResponsesWire } from './responses-wire.ts';
import type { AnswerTurn, ModelStep, ModelTurn, ScriptedFailure } from './script.ts';
import type { FailureTable, FullUsage, Wire, WireName } from './wire.ts';

const WIRES: Readonly<Record<WireName, new (model: string) => Wire>> = {
  anthropic: AnthropicWire,
  chat: ChatWire,
  responses: ResponsesWire,
  google: GoogleWire,
};

const FAILURES: Readonly<Record<WireName, FailureTable>> = {
  anthropic: ANTHROPIC_FAILURES,
  chat: OPENAI_FAILURES,
  responses: OPENAI_FAILURES,
  google: GOOGLE_FAILURES,
};

export interface AnswerPorts {
  readonly response: ServerResponse;
  readonly holds: Holds;
  readonly wire: WireName;
  readonly model: string;
  /** Makes ids for calls without one in the script. */
  readonly nextCallId: () => string;
}

export async function playTurn(turn: ModelTurn, ports: AnswerPorts): Promise<void> {
  if (typeof turn === 'string') {
    await stream({ kind: 'answer', steps: [{ kind: 'text', text: turn }] }, ports);
  } else if (turn.kind === 'fails') refuse(turn.failure, ports);
  else await stream(turn, ports);
}

function refuse(failure: ScriptedFailure, { response, wire }: AnswerPorts): void {
  const json = { 'content-type': 'application/json' };
  if (failure.kind === 'custom') {
    response.writeHead(failure.status, { ...json, ...failure.headers }).end(failure.body);
    return;
  }
  const { status, body } = FAILURES[wire][failure.kind];
  const retry = failure.retryAfter === undefined ? {} : { 'retry-after': failure.retryAfter };
  response.writeHead(status, { ...json, ...retry }).end(JSON.stringify(body));
}

async function stream(turn: AnswerTurn, ports: AnswerPorts): Promise<void> {
  const { response } = ports;
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const wire = new WIRES[ports.wire](ports.model);
  const usage: FullUsage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, ...turn.usage };
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  response.write(wire.begin(usage));
  for (const step of turn.steps) {
    if ((await play(step, wire, { ...ports, gone: gone.signal })) === 'over') return;
    if (gone.signal.aborted) return;
  }
  const hasCalls = turn.steps.some(({ kind }) => kind === 'call');
  response.end(wire.end(turn.stop ?? (hasCalls ? 'calls' : 'stop'), usage));
}

async function play(
  step: ModelStep,
  wire: Wire,
  ports: AnswerPorts & { readonly gone: AbortSignal },
): Promise<'continues' | 'over'> {
  const { response, gone } = ports;
  switch (step.kind) {
    case 'text':
      response.write(wire.text(step.text));
      return 'continues';
    case 'reasoning':
      response.write(wire.reasoning(step.text, step.signature));
      return 'continues';
    case 'call':
      response.write(wire.call({ ...step, id: step.id ?? ports.nextCallId() }));
      return 'continues';
    case 'raw':
      response.write(`data: ${step.data}\n\n`);
      return 'continues';
    case 'hold':
      await ports.holds.wait(step.name, gone);
      return 'continues';
    case 'pace':
      await pace(step, gone, (text) => response.write(wire.text(text)));
      return 'continues';
    case 'fail':
      response.end(failureInside(step.failure, wire, ports.wire));
      return 'over';
    case 'end-early':
      response.end();
      return 'over';
    case 'cut':
      // Lets the written data arrive first.
      response.write('', () => response.destroy());
      return 'over';
    default:
      return step satisfies never;
  }
}

function failureInside(failure: ScriptedFailure, wire: Wire, name: WireName): string {
  if (failure.kind === 'custom') return `data: ${failure.body}\n\n`;
  return wire.failure(FAILURES[name][failure.kind]);
}

const WORDS = ['a ', 'model ', 'says ', 'one ', 'word ', 'after ', 'the ', 'other, '];

/** Follows the clock: words that a late timer missed are sent with the next one. */
async function pace(
  { tokens, perSecond }: Extract<ModelStep, { kind: 'pace' }>,
  gone: AbortSignal,
  send: (text: string) => void,
): Promise<void> {
  const start = performance.now();
  for (let sent = 0; sent < tokens && !gone.aborted;) {
    const due = Math.min(tokens, Math.floor(((performance.now() - start) * perSecond) / 1000));
    for (; sent < due; sent += 1) send(WORDS[sent % WORDS.length] ?? '');
    if (sent < tokens) await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond));
  }
}
