// The interface of the formats of providers: each turns steps of an answer into events of a stream. There is one object
// per answer, which tracks the open block.

import type { FailureName, ScriptedCall, ScriptedUsage } from './script.ts';

export type WireName = 'anthropic' | 'chat' | 'responses' | 'google';

export type StopReason = 'stop' | 'calls' | 'length' | 'filtered';

export interface Wire {
  begin(usage: FullUsage): string;
  text(delta: string): string;
  reasoning(text: string, signature: string | undefined): string;
  call(call: FullCall): string;
  end(stop: StopReason, usage: FullUsage): string;
  /** In the middle of a stream. */
  failure(failure: WireFailure): string;
}

export interface WireFailure {
  readonly status: number;
  readonly body: unknown;
}

export type FailureTable = Readonly<Record<FailureName, WireFailure>>;

export type FullUsage = Required<ScriptedUsage>;
export type FullCall = Required<ScriptedCall>;

export function dataLine(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

export function namedEvent(type: string, fields: object = {}): string {
  return `event: ${type}
${dataLine({ type, ...fields })}`;
}

export function argumentText({ arguments: given }: FullCall): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}

/** Splits arguments like providers do: into pieces that are not valid JSON. */
export function inPieces(text: string): string[] {
  const size = Math.max(1, Math.ceil(text.length / 3));
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}
