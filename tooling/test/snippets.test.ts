import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tempTree } from './temp-tree.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The parts of an example that stand between `// <name>` and `// </name>`. */
function regionsOf(path: string): readonly (readonly [string, string])[] {
  const text = read(path);
  return [...text.matchAll(/^\/\/ <([\w-]+)>\n([^]*?)^\/\/ <\/\1>$/gm)].map(
    ([, name = '', body = '']) => [`${path} <${name}>`, body.trim()] as const,
  );
}

const examples = readdirSync(join(ROOT, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `examples/${name}/run.ts`);
const pageNames = [
  'README.md',
  'packages/agent/README.md',
  'packages/host/README.md',
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
].filter((path) => path.endsWith('.md'));
const pages = pageNames.map(read).join('\n');

/** The code of a page that is no part of an example, and so is not run. */
function othersOf(page: string, held: readonly string[]): readonly string[] {
  return [...read(page).matchAll(/^```ts\n([^]*?)^```$/gm)]
    .map(([, body = '']) => body)
    .filter((body) => !held.includes(body.trim()));
}

/** What such code uses without saying where it is from. */
const NAMES = `import type * as agent from '@plugboard/agent';
import type * as plugboard from '@plugboard/host';

declare global {
  type Model = agent.Model;
  type SamplingPort = plugboard.SamplingPort;
  const createHost: typeof plugboard.createHost;
  const host: plugboard.Host;
  const id: string;
  const client: { connect(transport: unknown): Promise<void> };
  const ours: unknown;
  function askMine(request: unknown): Promise<{ text: string; usage: agent.Usage }>;
  function askPerson(...about: unknown[]): Promise<boolean>;
  function askModel(...about: unknown[]): Promise<{ text: string; model: string; usage: number }>;
  function fillIn(...about: unknown[]): Promise<Record<string, string>>;
}
`;

describe('code in the documentation', () => {
  it.each(examples.flatMap(regionsOf))('shows %s as it is run', (_, body) => {
    expect(body).not.toBe('');
    expect(pages).toContain(body);
  });

  it('is taken from some example', () => {
    expect(examples.flatMap(regionsOf).length).toBeGreaterThan(2);
  });

  it('compiles, also if no example runs it', () => {
    const held = examples.flatMap(regionsOf).map(([, body]) => body);
    const snippets = pageNames.flatMap((page) =>
      othersOf(page, held).map(
        (body, index) =>
          [`${page.replaceAll(/\W/g, '-')}-${index}.ts`, `${body}\nexport {};\n`] as const,
      ),
    );
    expect(snippets.length).toBeGreaterThan(5);
    const compilerOptions = {
      composite: false,
      declaration: false,
      declarationMap: false,
      noEmit: true,
      noUnusedLocals: false,
      types: ['node'],
    };
    const config = { extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, include: ['.'] };
    using tree = tempTree({
      'package.json': '{ "type": "module" }',
      'tsconfig.json': JSON.stringify(config),
      'names.d.ts': NAMES,
      ...Object.fromEntries(snippets),
    });
    symlinkSync(join(ROOT, 'node_modules'), join(tree.root, 'node_modules'));
    const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', tree.root], {
      cwd: tree.root,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });
});
