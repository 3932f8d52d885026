// Saves the binary content and the resources of a result into a folder that the user named: under safe names, readable
// by the user only, and never over an existing file.

import { join } from 'node:path';
import { err, ok, type Result } from '@plugboard/base';
import { createFileOnce, ensureFolder, systemCode } from '../platform/index.ts';
import { endingOf, mediaTypeOf } from './media-type.ts';
import type { Part } from './part.ts';

export interface SavedPart {
  /** The index of the part in the result. */
  readonly part: number;
  readonly file: string;
  readonly mimeType: string;
  readonly bytes: number;
}

export interface SaveProblem {
  readonly file: string;
  /** The system's reason, such as ENOSPC. */
  readonly code: string;
}

/** `name` is for parts without a name. Files that were saved before a problem stay. */
export async function saveParts(
  parts: readonly Part[],
  { folder, name }: { readonly folder: string; readonly name: string },
): Promise<Result<readonly SavedPart[], SaveProblem>> {
  const saved: SavedPart[] = [];
  for (const [index, part] of parts.entries()) {
    const content = contentOf(part);
    if (content === undefined) continue;
    const { bytes, uri } = content;
    const mimeType = mediaTypeOf(content.mimeType);
    const fileName = safeFileName({ uri, name: `${name}-${index + 1}`, mimeType });
    try {
      if (saved.length === 0) await ensureFolder(folder);
      const file = await createWithFreeName(join(folder, fileName), bytes);
      saved.push({ part: index, file, mimeType, bytes: bytes.length });
    } catch (thrown) {
      return err({ file: join(folder, fileName), code: systemCode(thrown) ?? 'UNKNOWN' });
    }
  }
  return ok(saved);
}

interface Content {
  readonly bytes: Uint8Array;
  readonly mimeType: string | undefined;
  readonly uri: string | undefined;
}

function contentOf(part: Part): Content | undefined {
  switch (part.kind) {
    case 'image':
    case 'audio':
      return { bytes: decoded(part.data), mimeType: part.mimeType, uri: undefined };
    case 'resource': {
      const { body, uri, mimeType } = part;
      const bytes = body.kind === 'text' ? Buffer.from(body.text) : decoded(body.data);
      return {
        bytes,
        mimeType: mimeType ?? (body.kind === 'text' ? 'text/plain' : undefined),
        uri,
      };
    }
    default:
      return undefined;
  }
}

function decoded(data: string): Uint8Array {
  return Buffer.from(data, 'base64');
}

const MAX_NAME = 100;
const MAX_TRIES = 10_000;
/** Names of devices on Windows, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Files that a system would run when opened, or whose scripts a browser would run. */
const RUNNABLE =
  /\.(?:html?|xhtml|svg|exe|bat|cmd|com|msi|scr|ps1|vbs|js|jse|wsf|hta|lnk|desktop|command|app|jar|sh)$/i;

/** The last segment of the address if it is a safe name; text of the server is never used as a path. */
function safeFileName({
  uri,
  name,
  mimeType,
}: {
  readonly uri: string | undefined;
  readonly name: string;
  readonly mimeType: string;
}): string {
  const last = safe(lastSegment(uri));
  if (last === '') return `${safe(name)}.${endingOf(mimeType)}`;
  if (RUNNABLE.test(last)) return `${last}.txt`;
  return /\.[A-Za-z0-9]{1,8}$/.test(last) ? last : `${last}.${endingOf(mimeType)}`;
}

function lastSegment(uri: string | undefined): string {
  if (uri === undefined) return '';
  const [path = ''] = uri.split(/[?#]/);
  const segment = path.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function safe(text: string): string {
  const kept = text
    .replaceAll(/[^\p{L}\p{N}._ -]+/gu, '_')
    .replace(/^[\s._-]+/, '')
    .replace(/[\s.]+$/, '')
    .slice(-MAX_NAME);
  return DEVICES.test(kept) ? `_${kept}` : kept;
}

/** Creates a file with this name, or with a number added if the name is taken. */
async function createWithFreeName(path: string, bytes: Uint8Array): Promise<string> {
  const dot = path.lastIndexOf('.');
  for (let number = 1; number <= MAX_TRIES; number += 1) {
    const file = number === 1 ? path : `${path.slice(0, dot)}-${number}${path.slice(dot)}`;
    if ((await createFileOnce(file, bytes)) === 'created') return file;
  }
  throw Object.assign(new Error('every name is taken'), { code: 'EEXIST' });
}
