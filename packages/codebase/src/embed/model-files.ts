// The files of the embedded model: which they are, by the manifest of their package, and whether what lies on the disk
// is what the manifest says. A file with another hash is refused: half a download would answer, with nonsense.

import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { err, isObject, ok, parseJson, type Result } from '@plugboard/base';
import { packageFile, readBytes } from '../platform/index.ts';

export interface ModelFile {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface ModelManifest {
  readonly dimensions: number;
  readonly queryTokens: number;
  readonly documentTokens: number;
  readonly model: ModelFile;
  readonly tokenizer: ModelFile;
}

/** One sentence: what is wrong with which file, and what helps. */
export type ModelProblem = string;

const MANIFEST = 'manifest.json';
const MOST_MANIFEST_BYTES = 64 * 1024;
const FIX = 'fix: install @plugboard/codebase-model again';

/** The folder of the package that has the weights. */
export function modelFolder(): Result<string, ModelProblem> {
  const manifest = packageFile(`@plugboard/codebase-model/${MANIFEST}`);
  if (manifest === undefined) {
    return err('the embedded model is not installed; fix: install @plugboard/codebase-model');
  }
  return ok(dirname(manifest));
}

export async function readManifest(folder: string): Promise<Result<ModelManifest, ModelProblem>> {
  const path = join(folder, MANIFEST);
  const bytes = await readBytes(path, { maxBytes: MOST_MANIFEST_BYTES });
  if (!bytes.ok) return err(`cannot read ${path} (${bytes.error.kind}); ${FIX}`);
  const text = new TextDecoder().decode(bytes.value);
  const parsed = parseJson(text, { maxLength: MOST_MANIFEST_BYTES, maxDepth: 8 });
  const manifest = parsed.ok ? manifestOf(parsed.value) : undefined;
  return manifest === undefined
    ? err(`${path} is not the manifest of a model; ${FIX}`)
    : ok(manifest);
}

function manifestOf(value: unknown): ModelManifest | undefined {
  if (!isObject(value) || !isObject(value['files'])) return undefined;
  const { dimensions, queryTokens, documentTokens, files } = value;
  const model = fileOf(files['model']);
  const tokenizer = fileOf(files['tokenizer']);
  if (!isCount(dimensions) || !isCount(queryTokens) || !isCount(documentTokens)) return undefined;
  if (model === undefined || tokenizer === undefined) return undefined;
  return { dimensions, queryTokens, documentTokens, model, tokenizer };
}

function fileOf(value: unknown): ModelFile | undefined {
  if (!isObject(value)) return undefined;
  const { name, sha256, bytes } = value;
  if (typeof name !== 'string' || !/^[\w.-]+$/.test(name) || !isCount(bytes)) return undefined;
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  return { name, sha256, bytes };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

/** The bytes of a file, if they are those that the manifest names. */
export async function readVerified(
  folder: string,
  file: ModelFile,
): Promise<Result<Uint8Array, ModelProblem>> {
  const path = join(folder, file.name);
  const bytes = await readBytes(path, { maxBytes: file.bytes });
  if (!bytes.ok && bytes.error.kind !== 'too-large') {
    return err(`cannot read ${path} (${bytes.error.kind}); ${FIX}`);
  }
  const found = bytes.ok ? createHash('sha256').update(bytes.value).digest('hex') : undefined;
  if (bytes.ok && found === file.sha256) return ok(bytes.value);
  return err(
    `${path} is damaged: its sha256 is ${found ?? 'that of a larger file'}, and should be ${file.sha256}; ${FIX}`,
  );
}
