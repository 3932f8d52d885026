// Reads a text file of the tree and cuts it into chunks; a file that is too large or binary is refused with a reason.

import { err, ok, type Result } from '@plugboard/base';
import type { Chunk, ChunkedFile } from '../../chunk/index.ts';
import { decodeText, isBinaryText } from '../../scan/index.ts';
import type { CodebaseParts } from '../parts/codebase-parts.ts';
import { withheldWords } from './withheld.ts';

export interface CutFile extends ChunkedFile {
  readonly text: string;
}

const MOST_BYTES = 4 * 1024 * 1024;

export async function chunkTextFile(
  path: string,
  parts: CodebaseParts,
  signal: AbortSignal,
): Promise<Result<CutFile, string>> {
  const { root, chunker } = parts;
  const withheld = await withheldWords(path, parts);
  if (withheld !== undefined) return err(withheld);
  const read = await root.readBytes(path, MOST_BYTES);
  if (!read.ok) return err(read.error.message);
  const shown = JSON.stringify(path);
  if (read.value === undefined) {
    return err(`${shown}: it has more than ${MOST_BYTES} bytes; use read_file for parts of it`);
  }
  if (isBinaryText(read.value)) {
    return err(`${shown}: it is a binary file, which cannot be cut into chunks`);
  }
  const text = decodeText(read.value);
  return ok({ ...(await chunker.chunk({ path, text }, signal)), text });
}

export function chunkData({ startLine, endLine, kind, symbol }: Chunk) {
  return {
    start_line: startLine,
    end_line: endLine,
    kind,
    ...(symbol === undefined ? {} : { symbol }),
  };
}
