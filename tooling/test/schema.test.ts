import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from './run-program.ts';
import { tempTree } from './temp-tree.ts';

const PAGE = 'Before.\n<!-- settings:begin -->\nOUT OF DATE\n<!-- settings:end -->\nAfter.\n';

describe('npm run schema', () => {
  const tree = (): ReturnType<typeof tempTree> =>
    tempTree({ 'docs/settings.md': PAGE, 'packages/host/package.json': '{}' });
  const run = (root: string, ...flags: string[]): ReturnType<typeof runProgram> =>
    runProgram('scripts/schema.ts', ['--root', root, ...flags], root);

  it('fails on stale files until they are written again, and writes nothing by default', () => {
    using house = tree();
    const schema = join(house.root, 'packages/host/settings.schema.json');
    expect(run(house.root, '--check').code).toBe(1);
    expect([run(house.root).code, existsSync(schema)]).toEqual([0, false]);
    expect([run(house.root, '--write').code, existsSync(schema)]).toEqual([0, true]);
    expect(run(house.root, '--check').code).toBe(0);
    const page = readFileSync(join(house.root, 'docs/settings.md'), 'utf8');
    expect(page).toMatch(/^Before\.\n[\s\S]*\| `command` \| text \|[\s\S]*\nAfter\.\n$/);
    expect(page).not.toContain('OUT OF DATE');
  });
});
