import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { ruleChoices } from '../../src/policy/index.ts';
import { call } from './given-rules.ts';

const PLACE = { root: '/project', folder: '/project/app' };
const RUN = 'workspace/run_command';

function forCommand(command: string) {
  return ruleChoices(call(RUN, { command }), PLACE).map((rule) =>
    typeof rule === 'string' ? rule.replace('workspace/run_command', 'run') : rule.arguments,
  );
}

describe('the rules that an approval can be kept as', () => {
  it('name the leading words of a command, from the narrowest to any command', () => {
    verifies('AGT-09');
    expect(forCommand('git status -s')).toEqual(['run(git status -s)', 'run(git status *)', 'run']);
    expect(forCommand('npm run build')).toEqual([
      'run(npm run build)',
      'run(npm run build *)',
      'run',
    ]);
    expect(forCommand('ls src/*')).toEqual(['run(ls *)', 'run']);
    expect(forCommand('./x y')).toEqual(['run(./x y)', 'run']);
  });

  it('never leave the rest open to a program that runs other programs', () => {
    verifies('AGT-09');
    for (const command of [
      'sudo ls',
      'bash x',
      'env a',
      'xargs a',
      'npx a',
      'node x',
      'rm -rf x',
    ]) {
      expect(forCommand(command)).toEqual([`run(${command})`, 'run']);
    }
    expect(forCommand('npm exec a')).toEqual(['run(npm exec a)', 'run']);
    expect(forCommand('git -c a=b status')).toEqual(['run(git -c a=b status)', 'run']);
  });

  it('contain a line with more than one command word for word, or not at all', () => {
    verifies('AGT-09');
    const line = 'cd a && npm test';
    expect(forCommand(line)).toEqual([[{ path: 'command', equals: line }], 'run']);
    expect(forCommand('a\nb')).toEqual(['run']);
    expect(forCommand(`echo ${'x'.repeat(300)}`)).toEqual(['run']);
  });

  it('name the folder of a file, the origin of a page, or else only the tool', () => {
    verifies('AGT-09');
    const file = (path: string) => ruleChoices(call('workspace/edit_file', { path }), PLACE);
    expect(file('src/a.ts')).toEqual(['workspace/*_file(app/src)', 'workspace/*_file(.)']);
    expect(file('/project/a.ts')).toEqual(['workspace/*_file(.)']);
    expect(file('../../a.ts')).toEqual([]);
    const page = ruleChoices(call('web/fetch', { url: 'https://a.example/x' }), PLACE);
    expect(page).toEqual([
      { tool: 'web/fetch', arguments: [{ path: 'url', origin: 'https://a.example' }] },
      'web/fetch',
    ]);
    expect(ruleChoices(call('web/fetch', { url: 'mailto:a@b' }), PLACE)).toEqual(['web/fetch']);
    const site = (url: string) => ruleChoices(call('workspace/web_fetch', { url }), PLACE);
    expect(site('https://a.example:8443/x?y')).toEqual([
      'workspace/web_fetch(https://a.example:8443)',
      'workspace/web_fetch',
    ]);
    expect(site('file:///etc/passwd')).toEqual(['workspace/web_fetch']);
    expect(ruleChoices(call('github/x', { command: 'ls' }), PLACE)).toEqual(['github/x']);
  });
});
