// The file format of a recording: a header line, and a line of JSON for each call with its messages, secrets hidden. An opened
// file comes from elsewhere, so each call is checked before the page shows it. Pure.

import { isObject, type Json, parseJson } from '@plugboard/base';
import type { CallDetail, CallState, MessageView } from '@plugboard/gateway/console-api';

export const RECORDING_TYPE = 'application/x-ndjson';

const FORMAT = 'plugboard-recording';
const VERSION = 1;
const LINE = { maxLength: 256 * 1024 * 1024, maxDepth: 200 };

export function recordingHead(at: number): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, at })}\n`;
}

export function recordingLines(calls: readonly CallDetail[]): string {
  return calls.map((call) => `${JSON.stringify(call)}\n`).join('');
}

export type ReadRecording =
  /** `skipped`: the number of lines that are not calls. */
  | { readonly kind: 'read'; readonly calls: readonly CallDetail[]; readonly skipped: number }
  | { readonly kind: 'refused'; readonly reason: string };

const MOST_CALLS = 100_000;

export function readRecording(text: string): ReadRecording {
  const [first = '', ...lines] = text.split('\n');
  const head = parseJson(first.slice(0, 1000), LINE);
  const { format, version } = head.ok && isObject(head.value) ? head.value : {};
  if (format !== FORMAT)
    return { kind: 'refused', reason: 'This is not a recording of a gateway.' };
  if (version !== VERSION) {
    return { kind: 'refused', reason: 'This recording was made by a newer version.' };
  }
  const calls: CallDetail[] = [];
  let skipped = 0;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const call = calls.length < MOST_CALLS ? callIn(line) : undefined;
    if (call === undefined) skipped += 1;
    else calls.push(call);
  }
  return { kind: 'read', calls, skipped };
}

const STATES: readonly CallState[] = [
  'running',
  'ok',
  'tool-error',
  'error',
  'denied',
  'cancelled',
];

function callIn(line: string): CallDetail | undefined {
  const parsed = parseJson(line, LINE);
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const call = parsed.value as Readonly<Record<string, Json>>;
  const isCall =
    ['id', 'client', 'clientName', 'method'].every((key) => typeof call[key] === 'string') &&
    ['at', 'bytes', 'messages', 'attempts'].every((key) => isNumber(call[key])) &&
    ['subject', 'server', 'problem', 'replayOf'].every((key) => isMaybe('string', call[key])) &&
    isMaybe('number', call['ms']) &&
    isEra(call['clientEra']) &&
    (call['serverEra'] === undefined || isEra(call['serverEra'])) &&
    STATES.some((state) => state === call['state']) &&
    isDecision(call['decision']) &&
    isListOf(call['hooks'], isHook) &&
    isListOf(call['trace'], isMessage);
  return isCall ? (call as unknown as CallDetail) : undefined;
}

function isNumber(value: Json | undefined): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function isMaybe(type: 'string' | 'number', value: Json | undefined): boolean {
  return value === undefined || typeof value === type;
}

function isEra(value: Json | undefined): boolean {
  return value === 'legacy' || value === 'modern';
}

function isListOf(value: Json | undefined, isItem: (item: Json) => boolean): boolean {
  return Array.isArray(value) && (value as readonly Json[]).every(isItem);
}

const ANSWERS: readonly unknown[] = [
  undefined,
  'allowed',
  'denied',
  'unanswered',
  'allowed-before',
];

function isDecision(value: Json | undefined): boolean {
  if (value === undefined) return true;
  if (!isObject(value)) return false;
  const { kind, rule, source, reason, answer } = value as Readonly<Record<string, Json>>;
  const isKind = kind === 'allow' || kind === 'ask' || kind === 'deny';
  const areTexts = isMaybe('string', rule) && isMaybe('string', source);
  return isKind && areTexts && typeof reason === 'string' && ANSWERS.includes(answer);
}

function isHook(value: Json): boolean {
  if (!isObject(value)) return false;
  const texts = ['name', 'event', 'outcome'].every((key) => typeof value[key] === 'string');
  return texts && isNumber(value['ms']);
}

const KINDS: readonly MessageView['kind'][] = ['request', 'notification', 'result', 'error'];

function isMessage(value: Json): boolean {
  if (!isObject(value)) return false;
  const message = value as Readonly<Record<string, Json>>;
  const { headers = {} } = message;
  return (
    isNumber(message['at']) &&
    isNumber(message['bytes']) &&
    (message['hop'] === 'client' || message['hop'] === 'server') &&
    (message['direction'] === 'to-server' || message['direction'] === 'to-client') &&
    isMaybe('string', message['server']) &&
    isMaybe('string', message['method']) &&
    isEra(message['era']) &&
    KINDS.some((kind) => kind === message['kind']) &&
    isObject(headers) &&
    Object.values(headers).every((header) => typeof header === 'string') &&
    typeof message['body'] === 'string' &&
    typeof message['isCut'] === 'boolean'
  );
}
