import { tempFolder } from '@plugboard/testkit';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../src/platform/find-program.ts';

describe('the program of a command', () => {
  it('is the first executable in the searched folders', async () => {
    await using folder = await tempFolder();
    const first = await folder.write('a/tool', 'not to be run');
    const second = await folder.write('b/tool', '#!/bin/sh\n');
    await chmod(second, 0o755);
    const searched = ['a', 'b'].map((name) => join(folder.path, name)).join(':');
    const find = (command: string, cwd = '/') => findProgram({ command, cwd, searched });
    expect(await find('tool')).toEqual({ kind: 'executable', path: second });
    expect(await find(first)).toEqual({ kind: 'not-executable', path: first });
    expect(await find('./b/tool', folder.path)).toEqual({ kind: 'executable', path: second });
    expect(await find('a', folder.path)).toEqual({ kind: 'nothing' });
    expect(await find('missing')).toEqual({ kind: 'nothing' });
  });
});
