// Commands that are files, on a real terminal: those of the user and of the project, including skills.

import { startScriptedModel, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import { answersIn, calling, chatOn, choose, leave, say, toldIn } from './chat-on-terminal.ts';

const RUN = 'mcp__workspace__run_command';

describe('a command that is a file', () => {
  it('is filled in with arguments, and its tools need no approval in its turn, if the user defined it', async ({
    expect,
  }) => {
    verifies('AGT-13');
    await using box = await sandbox();
    await box.write(
      '../home/.claude/commands/look.md',
      '---\ndescription: Look at one thing\nargument-hint: [thing]\nallowed-tools: Bash(echo:*), Read\n---\nLook at $1. All: $ARGUMENTS\n',
    );
    await using model = await startScriptedModel({
      turns: [
        calling([RUN, { command: 'echo one' }]),
        'Looked.',
        calling([RUN, { command: 'echo two' }]),
        'Asked.',
      ],
    });
    await using screen = await chatOn(box, model);
    await say(screen, '/look engine now');
    await screen.shows('Looked.');
    const told = toldIn(model.requests[0]);
    expect(told).toContain('Look at engine. All: engine now');
    expect(told).not.toContain('allowed-tools');
    expect(answersIn(model.requests[1])[0]).toMatchObject({ isError: false });
    await say(screen, 'again');
    await choose(screen, 'n');
    await screen.shows('Asked.');
    expect(await leave(screen)).toBe(0);
  });

  it('is shown before its first use and grants nothing if the project defined it, also as a skill', async ({
    expect,
  }) => {
    verifies('AGT-13');
    await using box = await sandbox();
    await box.write(
      '.claude/skills/pdf/SKILL.md',
      '---\nname: pdf\ndescription: Fill in forms\nallowed-tools: Bash(echo:*)\n---\nOpen the form\u200B.\n',
    );
    await using model = await startScriptedModel({
      turns: [calling([RUN, { command: 'echo one' }]), 'Filled in.'],
    });
    await using screen = await chatOn(box, model);
    await say(screen, '/pdf form.pdf');
    await screen.shows('Open the form.');
    expect(model.requests).toEqual([]);
    await choose(screen, 'y');
    await screen.shows('Allow this call?');
    await choose(screen, 'n');
    await screen.shows('Filled in.');
    const told = toldIn(model.requests[0]);
    expect(told).toContain('Open the form.\\n\\nform.pdf');
    expect(await leave(screen)).toBe(0);
  });
});
