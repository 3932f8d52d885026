import { describe, expect, it } from 'vitest';
import { shownFields } from '../../src/print/import-plan.ts';

describe('the plan of an import', () => {
  it('shows how a server is used: such fields contain no secrets', () => {
    const entry = {
      timeout: 5000,
      tools: { exclude: ['delete_*'] },
      output: { maxCharacters: 50_000 },
      lifecycle: 'eager',
      parallel: true,
    };
    expect([...shownFields(entry)]).toEqual([
      ['timeout', '5000'],
      ['tools', '{"exclude":["delete_*"]}'],
      ['output', '{"maxCharacters":50000}'],
      ['lifecycle', 'eager'],
      ['parallel', 'true'],
    ]);
  });

  it('shows what is started or reached without its secrets', () => {
    const entry = {
      command: 'npx',
      args: ['-y', 'some package', '--token', 's3cret-s3cret-s3cret'],
      env: { TOKEN: 's3cret', OTHER: '${OTHER}' },
      cwd: './server',
      envFile: '.env',
      url: 'https://user:s3cret@example.com/mcp',
      headersHelper: 'print-headers s3cret',
      oauth: { clientSecret: 's3cret' },
    };
    const shown = shownFields(entry);
    expect([...shown.keys()]).toEqual([
      'command',
      'args',
      'env.TOKEN',
      'env.OTHER',
      'cwd',
      'envFile',
      'url',
      'headersHelper',
      'oauth',
    ]);
    expect(shown.get('cwd')).toBe('./server');
    expect(shown.get('envFile')).toBe('.env');
    expect([...shown.values()].join('\n')).not.toContain('s3cret');
  });

  it('hides unknown fields', () => {
    expect([...shownFields({ pasword: 's3cret' })]).toEqual([['pasword', '(hidden)']]);
  });
});
