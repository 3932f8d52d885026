// Parses a transcript: lines of JSON, some of which may be incomplete, foreign or written by a newer version. Unreadable
// lines are skipped; the rest is a valid conversation. Pure.

import { isObject, parseJson } from '@plugboard/base';
import type { Message } from '../conversation/index.ts';
import { type TranscriptHead, type TranscriptLine, TranscriptReplay } from './transcript-replay.ts';

export interface ReadTranscript {
  readonly head: TranscriptHead;
  readonly replay: TranscriptReplay;
}

const LINE_LIMITS = { maxDepth: 100, maxLength: 64 * 1024 * 1024 };

/** `undefined` if it is not a transcript. */
export function readTranscript(text: string): ReadTranscript | undefined {
  let head: TranscriptHead | undefined;
  const replay = new TranscriptReplay();
  for (const line of text.split('\n')) {
    const read = parseTranscriptLine(line);
    if (read === undefined) continue;
    if (read.kind === 'session') head ??= read;
    replay.apply(read);
  }
  return head === undefined ? undefined : { head, replay };
}

export function headOf(text: string): TranscriptHead | undefined {
  const [first = ''] = text.split('\n', 1);
  const read = parseTranscriptLine(first);
  return read?.kind === 'session' ? read : undefined;
}

/** The beginning of the user's first message in `text`. */
export function titleOf(text: string): string {
  for (const line of text.split('\n')) {
    const read = parseTranscriptLine(line);
    for (const message of messagesIn(read)) {
      if (message.kind !== 'user') continue;
      const said = message.parts.map((part) => (part.kind === 'text' ? part.text : '')).join(' ');
      return said.replaceAll(/\s+/g, ' ').trim().slice(0, 120);
    }
  }
  return '';
}

function messagesIn(line: TranscriptLine | undefined): readonly Message[] {
  if (line?.kind === 'message') return [line.message];
  return line?.kind === 'replaced' ? line.messages : [];
}

function parseTranscriptLine(line: string): TranscriptLine | undefined {
  if (line === '') return undefined;
  const parsed = parseJson(line, LINE_LIMITS);
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { value } = parsed;
  switch (value['kind']) {
    case 'session':
      return isHead(value) ? value : undefined;
    case 'message': {
      const { message } = value;
      return isMessage(message) ? { kind: 'message', message } : undefined;
    }
    case 'replaced': {
      const { messages } = value;
      if (!Array.isArray(messages)) return undefined;
      return { kind: 'replaced', messages: (messages as unknown[]).filter(isMessage) };
    }
    case 'rewound': {
      const { turn } = value;
      return typeof turn === 'number' ? { kind: 'rewound', turn } : undefined;
    }
    default:
      return undefined;
  }
}

function isHead(value: object): value is TranscriptHead {
  const { version, id, folder, model, startedAt } = value as Record<string, unknown>;
  const areTexts = [id, folder, model].every((text) => typeof text === 'string');
  return version === 1 && areTexts && typeof startedAt === 'number';
}

function isMessage(value: unknown): value is Message {
  if (!isObject(value)) return false;
  const { kind, parts, answers } = value;
  if (kind === 'tool') return Array.isArray(answers) && answers.every(isAnswer);
  const isPart = kind === 'user' ? isUserPart : isAssistantPart;
  return (kind === 'user' || kind === 'assistant') && Array.isArray(parts) && parts.every(isPart);
}

function isAnswer(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, tool, isError, parts, results = [], found = [], repeats = '' } = value;
  const areTexts = [id, tool, repeats].every((text) => typeof text === 'string');
  const areSound = areTexts && typeof isError === 'boolean';
  if (!areSound || !Array.isArray(results) || !results.every(isSavedFile)) return false;
  if (!Array.isArray(found) || !found.every((name) => typeof name === 'string')) return false;
  return Array.isArray(parts) && parts.every((part) => isText(part) || isImage(part));
}

function isSavedFile(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, path, bytes, mimeType } = value;
  return (
    [id, path, mimeType].every((text) => typeof text === 'string') && typeof bytes === 'number'
  );
}

function isUserPart(value: unknown): boolean {
  if (isText(value) || isImage(value)) return true;
  if (!isObject(value) || value['kind'] !== 'attachment') return false;
  return typeof value['label'] === 'string' && typeof value['text'] === 'string';
}

function isAssistantPart(value: unknown): boolean {
  if (isText(value)) return true;
  if (!isObject(value)) return false;
  const { kind, id, tool, text, arguments: given } = value;
  if (kind === 'reasoning') return typeof text === 'string';
  return kind === 'call' && typeof id === 'string' && typeof tool === 'string' && isObject(given);
}

function isText(value: unknown): boolean {
  return isObject(value) && value['kind'] === 'text' && typeof value['text'] === 'string';
}

function isImage(value: unknown): boolean {
  if (!isObject(value) || value['kind'] !== 'image') return false;
  return typeof value['mediaType'] === 'string' && typeof value['data'] === 'string';
}

/** One line, with its line end. */
export function toLine(line: TranscriptLine): string {
  return `${JSON.stringify(line)}\n`;
}
