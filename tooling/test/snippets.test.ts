import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

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
const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith('.md'))
  .map(read)
  .join('\n');

describe('code in the documentation', () => {
  it.each(examples.flatMap(regionsOf))('shows %s as it is run', (_, body) => {
    expect(body).not.toBe('');
    expect(pages).toContain(body);
  });

  it('is taken from some example', () => {
    expect(examples.flatMap(regionsOf).length).toBeGreaterThan(2);
  });
});
