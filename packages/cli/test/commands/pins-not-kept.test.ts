import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';

describe('a home folder that is not writable', () => {
  verifies('POL-19');

  it('is reported on every start, with a fix, because changed tools would not be noticed', async ({
    expect,
  }) => {
    await using box = await sandbox();
    const result = { content: [{ type: 'text', text: 'done' }] };
    const tools = [{ name: 'read', description: 'Reads.', result }];
    const settings = { mcpServers: { files: scriptedServer({ builtIns: [], tools }) } };
    await box.write('../home/.config/plugboard/settings.json', JSON.stringify(settings));
    // Nobody can create anything below a file, not even an administrator.
    const file = await box.write('../home/file', '');
    const env = { XDG_STATE_HOME: file, XDG_CACHE_HOME: file };
    for (let start = 0; start < 2; start += 1) {
      const run = await box.run(['call', 'files', 'read'], { env });
      expect(run).toMatchObject({ code: 0, stdout: 'done\n' });
      expect(run.stderr).toMatch(
        /^warning: what "files" lists was accepted for this run alone, since ~\/file\/plugboard\/pins\/[0-9a-f]+\.json cannot be written \(\w+\): if its tools change, you will not hear of it\n {2}fix: make that folder writable, or set XDG_STATE_HOME to one that is\n$/,
      );
    }
    expect((await box.run(['call', 'files', 'read'])).stderr).toBe('');
  });
});
