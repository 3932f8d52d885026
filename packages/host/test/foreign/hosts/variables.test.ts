import { describe, expect, it } from 'vitest';
import { FOREIGN_HOSTS } from '../../../src/foreign/hosts/all-hosts.ts';
import type { ForeignHostId } from '../../../src/foreign/hosts/foreign-host.ts';

/** The translation of one argument, and the kinds of its notes. */
function translated(id: ForeignHostId, argument: string, platform: NodeJS.Platform = 'linux') {
  const host = FOREIGN_HOSTS.find((candidate) => candidate.id === id);
  const isOpencode = id === 'opencode';
  const value = isOpencode ? { command: ['run', argument] } : { command: 'run', args: [argument] };
  const project = platform === 'win32' ? 'C:\\shop' : '/work/shop';
  const translation = host?.translate(
    { name: 'a', value, setting: () => undefined },
    { env: {}, home: '/home/me', platform, project },
  );
  if (translation?.kind !== 'entry') throw new Error('there is no entry');
  const { entry, notes } = translation;
  return [entry['args'], notes.map(({ kind }) => kind)];
}

describe('placeholders of other hosts', () => {
  it.each<[ForeignHostId, string, string, string[]]>([
    ['claude-code', '${A}-${B:-x y}', '${A}-${B:-x y}', []],
    ['claude-code', '${a b} ${', '$${a b} $${', ['plain-text']],
    ['claude-desktop', '${A}', '$${A}', ['plain-text']],
    ['codex', '$A $${A}', '$A $$${A}', ['plain-text']],
    ['zed', '${env:A}', '$${env:A}', ['plain-text']],
    ['cursor', '${env:A}/${env:B}', '${A}/${B}', []],
    ['cursor', '${userHome}${/}x', '${HOME}/x', []],
    ['cursor', '${workspaceFolderBasename}', 'shop', ['filled-in']],
    ['cursor', '${A}', '${A}', ['unknown-placeholder']],
    ['vscode', '${command:pick}', '${command:pick}', ['unknown-placeholder']],
    ['vscode', '${env:PROGRAMFILES(X86)}', '${env:PROGRAMFILES(X86)}', ['unknown-placeholder']],
    ['windsurf', '${A}${file:/x/my token}', '${A}${secret:my-token}', ['needs-secret']],
    ['cline', '${env:A}${B}', '${A}${B}', []],
    ['gemini', '$A/${B}/${C:-d}', '${A}/${B}/${C:-d}', []],
    ['gemini', '$5 $ ${5}', '$5 $ $${5}', ['plain-text']],
    ['opencode', '{env:A} ${A}', '${A} $${A}', ['plain-text']],
    // After a "$", our placeholder would mean a literal "${A}".
    ['opencode', '${env:A}', '${env:A}', ['unknown-placeholder']],
    ['opencode', '{file:~/key}', '${secret:key}', ['needs-secret']],
  ])('of %s: %s', (host, given, expected, notes) => {
    expect(translated(host, given)).toEqual([[expected], notes]);
  });

  it('follow the operating system', () => {
    expect(translated('cursor', '${userHome}${pathSeparator}x', 'win32')).toEqual([
      ['${USERPROFILE}\\x'],
      [],
    ]);
    expect(translated('vscode', '${workspaceFolder}', 'win32')).toEqual([
      ['C:\\shop'],
      ['filled-in'],
    ]);
  });
});
