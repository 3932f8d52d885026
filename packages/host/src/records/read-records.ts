// Reads the stored records of a server. Broken lines, such as the last one of a killed process, are skipped.

import { isObject, parseJson } from '@plugboard/base';
import { olderOf, readTextFile } from '../platform/index.ts';
import type { FrameRecord } from '../protocol/index.ts';
import { type LogLine, MAX_FILE_BYTES } from './record-files.ts';

/** The last frames, oldest first. */
export async function readTrace(file: string, last: number): Promise<readonly FrameRecord[]> {
  return (await readLines(file)).filter(isFrame).slice(-last);
}

/** The last lines, oldest first. */
export async function readLog(file: string, last: number): Promise<readonly LogLine[]> {
  return (await readLines(file)).filter(isLogLine).slice(-last);
}

async function readLines(file: string): Promise<readonly unknown[]> {
  // A batch of lines may exceed the limit of a file a little.
  const limits = { maxBytes: 64 * MAX_FILE_BYTES };
  const texts = await Promise.all([olderOf(file), file].map((path) => readTextFile(path, limits)));
  return texts
    .flatMap((read) => (read.ok ? read.value.split('\n') : []))
    .flatMap((line) => {
      const parsed = parseJson(line, { maxLength: MAX_FILE_BYTES, maxDepth: 20 });
      return parsed.ok ? [parsed.value] : [];
    });
}

const KINDS: ReadonlySet<unknown> = new Set<FrameRecord['kind']>([
  'request',
  'notification',
  'result',
  'error',
  'failed',
]);

function isFrame(value: unknown): value is FrameRecord {
  return (
    isObject(value) &&
    typeof value['at'] === 'number' &&
    typeof value['bytes'] === 'number' &&
    (value['direction'] === 'sent' || value['direction'] === 'received') &&
    KINDS.has(value['kind'])
  );
}

const SOURCES: ReadonlySet<unknown> = new Set<LogLine['source']>(['stderr', 'stdout', 'log']);

function isLogLine(value: unknown): value is LogLine {
  return (
    isObject(value) &&
    typeof value['at'] === 'number' &&
    typeof value['text'] === 'string' &&
    SOURCES.has(value['source'])
  );
}
