import { describe, expect, it } from 'vitest';
import { runProgram } from './run-program.ts';
import { tempTree } from './temp-tree.ts';

const run = (root: string): ReturnType<typeof runProgram> =>
  runProgram('scripts/examples.ts', ['--root', root], root);

describe('npm run examples', () => {
  it('runs every example and passes when all do', () => {
    using tree = tempTree({
      'examples/first/run.ts': `const answer: number = 42;\nif (answer !== 42) process.exit(1);\n`,
      'examples/second/run.ts': `console.log('fine');\n`,
    });
    const { code, output } = run(tree.root);
    expect(code).toBe(0);
    expect(output).toMatch(/^ok {4}first \(\d+ ms\)\nok {4}second \(\d+ ms\)\n$/);
  });

  it('fails when one fails, runs the others, and shows its output', () => {
    using tree = tempTree({
      'examples/first/run.ts': `console.error('no luck');\nprocess.exit(3);\n`,
      'examples/second/run.ts': `console.log('fine');\n`,
    });
    const { code, output } = run(tree.root);
    expect(code).toBe(1);
    expect(output).toMatch(/FAIL {2}first \(\d+ ms\): exit code 3/);
    expect(output).toMatch(/no luck/);
    expect(output).toMatch(/ok {4}second/);
  });

  it('fails when there is no example', () => {
    using tree = tempTree({ 'examples/README.md': '# Examples\n' });
    expect(run(tree.root)).toEqual({ code: 1, output: 'there is no examples/*/run.ts\n' });
  });
});
