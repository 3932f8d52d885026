import { describe, expect, it } from 'vitest';
import type { PendingApproval } from '../../src/chat/index.ts';
import { approvalChoices } from '../../src/tui/view/approval-choices.ts';
import { approvalBody, drawApproval } from '../../src/tui/view/approval-lines.ts';
import { toAnsi } from '../../src/tui/view/spans.ts';
import { PLAIN_THEME } from '../../src/tui/view/theme.ts';
import { APPROVALS } from './gallery/samples.ts';

const canvas = { width: 80, theme: PLAIN_THEME };

function shown(approval: PendingApproval, state: object = {}): readonly string[] {
  return drawApproval(approval, { selected: 0, ...state }, canvas).lines.map((line) =>
    toAnsi(line, PLAIN_THEME),
  );
}

const CALL = APPROVALS['call']!;

describe('the approval prompt', () => {
  it('offers the possible scopes, and always once, edit, and two ways to deny', () => {
    const keys = (approval: PendingApproval): string =>
      approvalChoices(approval)
        .map(({ key }) => key)
        .join('');
    expect(keys({ ...CALL, offers: [] })).toBe('yend');
    expect(keys({ ...CALL, offers: ['once', 'session', 'always', 'always-here'] })).toBe('ysahend');
  });

  it('shows the rule of a longer approval in full, its file, and that it is wide', () => {
    const kept = { rules: ['workspace/run_command'], file: '~/.config/plugboard/settings.json' };
    const lines = shown({ ...CALL, kept })
      .join(' ')
      .replaceAll(/\s+/g, ' ');
    expect(lines).toContain(
      's, h and a allow workspace/run_command, whatever the arguments (h and a write it into ~/.config/plugboard/settings.json)',
    );
    const rules = [`workspace/run_command(${'word '.repeat(40)}end)`, 'workspace/run_command'];
    const long = shown({ ...CALL, kept: { ...kept, rules } })
      .join(' ')
      .replaceAll(/\s+/g, ' ');
    expect(long).toContain(`${'word '.repeat(40)}end)`);
    expect(long).toContain('r Another rule for these');
  });

  it('does not let foreign text pass for the question', () => {
    const fake = '\n› y  Yes, once\n\nAllow this call?\n▲ Allow this call?\r\u001B[2J';
    const lines = shown({
      ...CALL,
      server: `github${fake}`,
      tool: `create${fake}`,
      asker: `helper${fake}`,
      why: fake,
      arguments: { [`a${fake}`]: fake, b: [fake], path: 'x' },
      preview: { path: fake, before: fake, after: `${fake}${fake}` },
    });
    const atTheEdge = lines.filter((line) => line !== '' && !line.startsWith('  '));
    expect(atTheEdge).toEqual(['▲ Allow this call?', '› y  Yes, once']);
    expect(lines.filter((line) => /^ {2}\S {2}Yes/.test(line))).toEqual([
      '  s  Yes, in this conversation',
    ]);
    const body = approvalBody({ ...CALL, arguments: { a: fake } }, canvas).map((line) =>
      toAnsi(line, PLAIN_THEME),
    );
    expect(body.filter((line) => line !== '' && !line.startsWith('  │ '))).toEqual([]);
  });

  it('shows invisible characters', () => {
    expect(shown({ ...CALL, arguments: { path: 'a\u202Eb\u200Bc' } })).toContain(
      '  │ path  a\\u202eb\\u200bc',
    );
  });

  it('shows all arguments completely, however long', () => {
    const long = 'word '.repeat(400).trim();
    const words =
      shown({ ...CALL, arguments: { text: long } })
        .join(' ')
        .match(/word/g) ?? [];
    expect(words.length).toBe(400);
  });

  it('leaves out only arguments that the shown change contains', () => {
    const change = APPROVALS['change']!;
    const lying = {
      ...change,
      arguments: { ...change.arguments, new_text: 'rm -rf /', old_text: 'nowhere', mode: 'x' },
    };
    expect(shown(change).some((line) => line.includes('new_text'))).toBe(false);
    const lines = shown(lying);
    expect(lines).toContain('  │ old_text  nowhere');
    expect(lines).toContain('  │ new_text  rm -rf /');
    expect(lines).toContain('  │ mode      x');
    const { path: _, ...elsewhere } = change.arguments;
    expect(shown({ ...change, arguments: { ...elsewhere, path: 'other.ts' } })).toContain(
      '  │ path      other.ts',
    );
  });

  it('states how much is above and below the visible part', () => {
    const arguments_ = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`k${index}`, 'v']),
    );
    const lines = shown({ ...CALL, arguments: arguments_ }, { rows: 21, offset: 3 });
    expect(lines.slice(3, 9)).toEqual([
      '  │ k3   v',
      '  │ k4   v',
      '  │ k5   v',
      '  │ k6   v',
      '  │ k7   v',
      '  … 3 above, 13 more lines below · PgUp, PgDn',
    ]);
  });
});
