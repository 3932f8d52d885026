import { describe, expect, it } from 'vitest';
import { filesIn } from '../../src/text/ripgrep-output.ts';

async function pathsIn(...lines: readonly string[]): Promise<readonly string[]> {
  async function* output(): AsyncGenerator<Buffer, void, undefined> {
    yield Buffer.from(`${lines.join('\n')}\n`);
  }
  const paths: string[] = [];
  for await (const { path } of filesIn(output(), 0)) paths.push(path);
  return paths;
}

const BINARY = 'binary file matches (found "\\0" byte around offset 5)';
const STOPPED = 'WARNING: stopped searching binary file after match (found "\\0" byte)';

describe('parsing the output of ripgrep', () => {
  it('drops a file that turns out to be binary', async () => {
    expect(await pathsIn('./a.ts\u00001:x', `./a.ts: ${BINARY}`)).toEqual([]);
    expect(await pathsIn('./a.ts\u00001:x', `./a.ts: ${STOPPED}`)).toEqual([]);
  });

  it('keeps a file when ripgrep reports another file as binary', async () => {
    expect(await pathsIn('./a.ts\u00001:x', `./b.bin: ${BINARY}`)).toEqual(['a.ts']);
    expect(await pathsIn('./a.ts\u00001:x', `./a.ts.bin: ${BINARY}`)).toEqual(['a.ts']);
    expect(await pathsIn(`./b.bin: ${STOPPED}`, './a.ts\u00001:x')).toEqual(['a.ts']);
  });
});
