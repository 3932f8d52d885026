// Turns a recorded call into a saved one: the same request, with an expectation made of its answer. Pure.

import {
  type Answered,
  type Expectation,
  isObject,
  type Json,
  savedOutcome,
  type SavedRequest,
  type ValueCheck,
} from '@plugboard/base';
import type { CallDetail } from '@plugboard/gateway/console-api';
import { requestOf, resultOf } from './recorded-call.ts';

/** Of longer values, only the existence is expected. */
const LONGEST_EQUAL = 2000;

export function savedRequestOf(call: CallDetail): SavedRequest | undefined {
  const request = requestOf(call);
  switch (request?.kind) {
    case undefined:
      return undefined;
    case 'resource':
      return { kind: 'resource', uri: request.uri };
    case 'tool':
      return { kind: 'tool', name: request.tool, arguments: request.arguments };
    case 'prompt':
      return { kind: 'prompt', name: request.prompt, arguments: request.arguments };
    default:
      return request satisfies never;
  }
}

/** The answer in the form that checks compare. */
export function answerOf(call: CallDetail): Answered {
  const recorded = resultOf(call);
  const result = recorded.kind === 'result' ? recorded.result : undefined;
  return { outcome: savedOutcome(call.state), ms: Math.round(call.ms ?? 0), result };
}

export function proposedExpectation(call: CallDetail): Expectation {
  const { outcome, result } = answerOf(call);
  return { outcome, within: undefined, values: result === undefined ? [] : valuesOf(result) };
}

function valuesOf(result: Readonly<Record<string, Json>>): readonly ValueCheck[] {
  const { structuredContent, content, contents, messages } = result;
  if (structuredContent !== undefined) return [fits('/structuredContent', structuredContent)];
  if (Array.isArray(content)) return textsOf('/content', content as readonly Json[]);
  if (Array.isArray(contents)) return textsOf('/contents', contents as readonly Json[]);
  return Array.isArray(messages) ? [{ at: '/messages', length: messages.length }] : [];
}

function textsOf(at: string, blocks: readonly Json[]): readonly ValueCheck[] {
  const texts = blocks.flatMap((block, index) => {
    const text = isObject(block) ? block['text'] : undefined;
    return typeof text === 'string' ? [fits(`${at}/${index}/text`, text)] : [];
  });
  return [{ at, length: blocks.length }, ...texts];
}

function fits(at: string, value: Json): ValueCheck {
  return JSON.stringify(value).length > LONGEST_EQUAL
    ? { at, exists: true }
    : { at, equals: value };
}
