// Turns a place in the code into a question: the signature of the chunk there, so that similar code is found by words and
// vectors.

import { err, ok, type Result } from '@plugboard/base';
import type { CodebaseParts } from '../parts/codebase-parts.ts';
import { chunkTextFile } from './chunk-text-file.ts';

export interface PlaceQuestion {
  /** The signature of the chunk. */
  readonly question: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

const LONGEST_QUESTION = 4096;

export async function placeAsQuestion(
  like: string,
  parts: CodebaseParts,
  signal: AbortSignal,
): Promise<Result<PlaceQuestion, string>> {
  const [, given = '', number = '1'] = /^(.*?)(?::(\d+))?$/s.exec(like) ?? [];
  const path = parts.root.normal(given);
  if (!path.ok) return err(path.error.message);
  const cut = await chunkTextFile(path.value, parts, signal);
  if (!cut.ok) return err(cut.error);
  const line = Number(number);
  const chunk = cut.value.chunks.find((one) => one.startLine <= line && one.endLine >= line);
  if (chunk === undefined) return err(`${JSON.stringify(path.value)} has no line ${line}`);
  const { startLine, endLine } = chunk;
  const question = chunk.signature.slice(0, LONGEST_QUESTION);
  return ok({ question, path: path.value, startLine, endLine });
}

export function isAt(
  { path, startLine, endLine }: Omit<PlaceQuestion, 'question'>,
  hit: { readonly path: string; readonly startLine: number; readonly endLine: number },
): boolean {
  return hit.path === path && hit.startLine <= endLine && hit.endLine >= startLine;
}
