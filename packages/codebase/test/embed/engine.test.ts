import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Engine, type EngineLoader, openFirstEngine } from '../../src/embed/engine.ts';
import { MODEL_FOLDER } from './model-package.ts';

const options = { model: new Uint8Array(0), threads: 1 };
const missing: EngineLoader = {
  name: 'missing',
  load: async () => {
    throw new Error("Cannot find package 'missing'");
  },
};

function engine(runtime: string, run: Engine['run']): EngineLoader {
  return { name: runtime, load: async () => ({ runtime, run }) };
}
const works = (runtime: string): EngineLoader =>
  engine(runtime, async () => ({ values: new Float32Array(4), length: 2 }));
const cannotRun = engine('halfway', async () => {
  throw new Error('an operator is missing');
});

describe('engines', () => {
  it('are tried in their order, and the first that runs is used', async () => {
    const opened = await openFirstEngine([works('first'), works('second')], options);
    expect(opened).toMatchObject({ kind: 'open', engine: { runtime: 'first' }, failed: [] });
  });

  it('are skipped and named when they are missing or cannot run the model', async () => {
    expect(await openFirstEngine([missing, cannotRun, works('last')], options)).toMatchObject({
      kind: 'open',
      engine: { runtime: 'last' },
      failed: [
        { engine: 'missing', message: "Cannot find package 'missing'" },
        { engine: 'halfway', message: 'an operator is missing' },
      ],
    });
  });

  it('yield none when all of them fail', async () => {
    expect(await openFirstEngine([missing], options)).toEqual({
      kind: 'none',
      failed: [{ engine: 'missing', message: "Cannot find package 'missing'" }],
    });
    expect(await openFirstEngine([], options)).toEqual({ kind: 'none', failed: [] });
  });
});

describe('the manifest of the model', () => {
  it('names the files that its package ships', async () => {
    const read = async (name: string): Promise<Record<string, unknown>> =>
      JSON.parse(await readFile(join(MODEL_FOLDER, name), 'utf8')) as Record<string, unknown>;
    const { files } = (await read('manifest.json')) as {
      files: Record<string, { name: string }>;
    };
    const shipped = (await read('package.json'))['files'];
    expect(shipped).toEqual(
      expect.arrayContaining([
        'NOTICE',
        'LICENSE',
        'manifest.json',
        ...Object.values(files).map(({ name }) => name),
      ]),
    );
  });
});
