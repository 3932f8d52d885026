// Reads the files of a model, and refuses files that `model.json` does not describe: with a damaged file, the model would
// compute nonsense.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { err, isObject, messageOf, ok, parseJson, type Result } from '@plugboard/base';
import { FACTORS, StaticModel, type StaticModelSizes } from './static-model.ts';

/** One sentence: which file has which problem, and how to fix it. */
export type StaticModelProblem = string;

const MODEL_FILE = 'model.json';
const LONGEST_DESCRIPTION = 256 * 1024;
const FIX = 'fix: install @plugboard/static-model again';

let opened: Promise<Result<StaticModel, StaticModelProblem>> | undefined;

/** The model of this package. It is read once in a process, and takes about 22 MB. */
export function openStaticModel(): Promise<Result<StaticModel, StaticModelProblem>> {
  opened ??= readStaticModel(fileURLToPath(new URL('..', import.meta.url)));
  return opened;
}

export async function readStaticModel(
  folder: string,
): Promise<Result<StaticModel, StaticModelProblem>> {
  const json = await readBytes(join(folder, MODEL_FILE));
  if (!json.ok) return json;
  const parsed = parseJson(json.value.toString(), { maxLength: LONGEST_DESCRIPTION, maxDepth: 8 });
  const description = parsed.ok ? readDescription(parsed.value) : undefined;
  if (description === undefined) {
    return err(`${join(folder, MODEL_FILE)} does not describe a model; ${FIX}`);
  }
  const { sizes, files } = description;
  const [vocabulary, table, weights] = await Promise.all([
    readVerified(folder, files.vocabulary),
    readVerified(folder, files.table),
    readVerified(folder, files.weights),
  ]);
  if (!vocabulary.ok) return vocabulary;
  if (!table.ok) return table;
  if (!weights.ok) return weights;
  const tokens = vocabulary.value.toString().split('\n');
  if (table.value.length !== tokens.length * sizes.dimensions) return err(misfit(folder));
  if (weights.value.length !== tokens.length * 2 * Float32Array.BYTES_PER_ELEMENT) {
    return err(misfit(folder));
  }
  return ok(
    new StaticModel(sizes, {
      vocabulary: tokens,
      table: new Int8Array(Uint8Array.from(table.value).buffer),
      weights: littleEndianFloats(weights.value),
    }),
  );
}

function misfit(folder: string): StaticModelProblem {
  return `the files of the model in ${folder} do not belong together; ${FIX}`;
}

interface DataFile {
  readonly name: string;
  readonly sha256: string;
}

interface Description {
  readonly sizes: StaticModelSizes;
  readonly files: Readonly<Record<'vocabulary' | 'table' | 'weights', DataFile>>;
}

function readDescription(value: unknown): Description | undefined {
  if (!isObject(value) || !isObject(value['files']) || !isObject(value['factors']))
    return undefined;
  const { id, dimensions, documentTokens, queryTokens, files, factors } = value;
  const { document, query } = factors;
  const vocabulary = readDataFile(files['vocabulary']);
  const table = readDataFile(files['table']);
  const weights = readDataFile(files['weights']);
  if (vocabulary === undefined || table === undefined || weights === undefined) return undefined;
  if (typeof id !== 'string' || !isCount(dimensions)) return undefined;
  if (!isCount(documentTokens) || !isCount(queryTokens)) return undefined;
  if (!areFactors(document) || !areFactors(query)) return undefined;
  return {
    sizes: { id, dimensions, documentTokens, queryTokens, factors: { document, query } },
    files: { vocabulary, table, weights },
  };
}

function readDataFile(value: unknown): DataFile | undefined {
  if (!isObject(value)) return undefined;
  const { name, sha256 } = value;
  return typeof name === 'string' && /^[\w.-]+$/.test(name) && typeof sha256 === 'string'
    ? { name, sha256 }
    : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function areFactors(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length >= FACTORS &&
    value.every((factor) => typeof factor === 'number' && Number.isFinite(factor))
  );
}

async function readVerified(
  folder: string,
  { name, sha256 }: DataFile,
): Promise<Result<Buffer, StaticModelProblem>> {
  const path = join(folder, name);
  const bytes = await readBytes(path);
  if (!bytes.ok) return bytes;
  const found = createHash('sha256').update(bytes.value).digest('hex');
  return found === sha256
    ? bytes
    : err(`${path} is damaged: its sha256 is ${found}, and should be ${sha256}; ${FIX}`);
}

async function readBytes(path: string): Promise<Result<Buffer, StaticModelProblem>> {
  try {
    return ok(await readFile(path));
  } catch (thrown) {
    return err(`cannot read ${path} (${messageOf(thrown)}); ${FIX}`);
  }
}

function littleEndianFloats(bytes: Buffer): Float32Array {
  const floats = new Float32Array(bytes.length / Float32Array.BYTES_PER_ELEMENT);
  for (let at = 0; at < floats.length; at += 1) floats[at] = bytes.readFloatLE(at * 4);
  return floats;
}
