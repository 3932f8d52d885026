import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { factsFromPs, parseProcStat, processFacts } from '../../src/platform/process-facts.ts';

const AFTER_NAME = `S 1 20 30 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 2000`;

describe('facts about a process', () => {
  it('are read whatever the name of the program', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(parseProcStat(`10 (${name}) ${AFTER_NAME}\n`)).toEqual({
          pid: 10,
          parent: 1,
          group: 20,
          session: 30,
          start: 987654,
          isZombie: false,
        });
      }),
    );
  });

  it('are undefined for a malformed line', () => {
    fc.assert(
      fc.property(fc.string(), (line) => {
        expect(parseProcStat(line)).toBeUndefined();
      }),
    );
  });

  it('distinguish a zombie from a process whose first thread has ended', () => {
    const zombie = AFTER_NAME.replace('S', 'Z');
    const threaded = zombie.replace(' 20 0 1 0 ', ' 20 0 3 0 ');
    expect([zombie, threaded].map((rest) => parseProcStat(`10 (name) ${rest}`)?.isZombie)).toEqual([
      true,
      false,
    ]);
  });

  it('are the same from ps, as far as ps reports them', async () => {
    const program = spawn('cat', { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    onTestFinished(() => void program.kill('SIGKILL'));
    const { pid = 0 } = program;
    const [first, second] = [factsFromPs(pid), factsFromPs(pid)];
    expect(first).toEqual({
      pid,
      parent: process.pid,
      group: pid,
      session: undefined,
      start: expect.any(Number),
      isZombie: false,
    });
    expect(second).toEqual(first);
    // In seconds since the epoch, like the kernel's boot time plus its ticks.
    const boot = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'));
    const ticks = processFacts(pid)?.start ?? 0;
    const expected = (Number(boot?.[1]) + ticks / 100) * 1000;
    expect(Math.abs((first?.start ?? 0) - expected)).toBeLessThan(3000);
  });

  it('are undefined for a process that does not exist', async () => {
    const program = spawn('true', { stdio: 'ignore' });
    await once(program, 'exit');
    const { pid = 0 } = program;
    expect([processFacts(pid), factsFromPs(pid)]).toEqual([undefined, undefined]);
  });
});
