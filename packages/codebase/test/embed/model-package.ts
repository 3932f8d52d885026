// The package of the embedded model as tests use it: its folder, its tokenizer, and copies of it that can be damaged.

import { copyFile, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { readTokenizer, type Tokenizer } from '../../src/embed/tokenizer.ts';

export const MODEL_FOLDER = dirname(
  createRequire(import.meta.url).resolve('@plugboard/codebase-model/manifest.json'),
);

export async function modelTokenizer(): Promise<Tokenizer> {
  const tokenizer = readTokenizer(await readFile(join(MODEL_FOLDER, 'tokenizer.json'), 'utf8'));
  if (!tokenizer.ok) throw new Error(tokenizer.error);
  return tokenizer.value;
}

export async function copyModel(folder: string): Promise<void> {
  for (const name of ['manifest.json', 'model_int8.onnx', 'tokenizer.json']) {
    await copyFile(join(MODEL_FOLDER, name), join(folder, name));
  }
}
