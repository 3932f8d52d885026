import { describe, expect, it } from 'vitest';
import { WaitingLines } from '../../src/transcript/waiting-lines.ts';

/** A file that accepts a number of characters, and then reports a full disk. */
function smallDisk(room: number) {
  const disk = { text: '', room };
  const append = (lines: string): Promise<string | undefined> => {
    const written = lines.slice(0, disk.room);
    disk.text += written;
    disk.room -= written.length;
    return Promise.resolve(written.length < lines.length ? 'ENOSPC' : undefined);
  };
  return { disk, append };
}

describe('lines that wait to be written', () => {
  it('are all written once there is room, after the part that fitted on the full disk', async () => {
    const { disk, append } = smallDisk(6);
    const problems: string[] = [];
    const onUnwritable = (code: string): void => void problems.push(code);
    const file = new WaitingLines({ begin: undefined, append, onUnwritable });
    file.add('one\n');
    file.add('two\n');
    await file.settled();
    disk.room = 100;
    file.add('three\n');
    await file.settled();
    expect(disk.text).toBe('one\ntw\ntwo\nthree\n');
    expect(problems).toEqual(['ENOSPC']);
  });

  it('are reported again when it happens again', async () => {
    const { disk, append } = smallDisk(0);
    const problems: string[] = [];
    const onUnwritable = (code: string): void => void problems.push(code);
    const file = new WaitingLines({ begin: undefined, append, onUnwritable });
    for (const room of [0, 100, 0]) {
      disk.room = room;
      file.add('line\n');
      await file.settled();
    }
    expect(problems).toEqual(['ENOSPC', 'ENOSPC']);
  });
});
