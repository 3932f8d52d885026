import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { ProcessLedger } from '../../src/platform/process-ledger.ts';
import { type EscapingProgram, escapingPrograms } from './escaping-programs.ts';
import { BUILT_ROOM, start } from './started-programs.ts';

/** Long, since all of them start at once on a machine that may be busy. */
const TEST_MS = 120_000;

function namesOfRunning(programs: readonly EscapingProgram[]): readonly string[] {
  return programs
    .filter((program) => program.left().length > 0)
    .map(
      (program) =>
        `${program.way}: ${program
          .left()
          .map(({ command }) => command)
          .join('; ')}`,
    );
}

async function ready(programs: readonly EscapingProgram[]): Promise<void> {
  for (const program of programs) {
    await waitUntil(() => program.running().length >= program.least, {
      describe: () => `a program that ${program.way} to run`,
    });
  }
}

/** A busy machine may need longer than the ladder waits for killed processes. */
async function gone(programs: readonly EscapingProgram[]): Promise<boolean> {
  return waitUntil(() => namesOfRunning(programs).length === 0, {
    describe: () => `the end of what ${namesOfRunning(programs).join('\n')}`,
  });
}

/** A failed test must not leave processes behind. */
function killLeft(programs: readonly EscapingProgram[]): void {
  for (const { pid } of programs.flatMap((program) => program.left())) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

describe('programs that try to outlive their end', () => {
  verifies('CON-10');

  it.each(['own', 'host'] as const)(
    'are ended with all their descendants when they are stopped together (%s session)',
    { timeout: TEST_MS },
    async (session) => {
      const programs = escapingPrograms();
      try {
        const started = await Promise.all(programs.map(({ spec }) => start(spec, { session })));
        await ready(programs);
        await Promise.all(started.map((program) => program.stop()));
        expect(await gone(programs)).toBe(true);
      } finally {
        killLeft(programs);
      }
    },
  );

  it(
    'are ended with all their descendants after their host was killed',
    { timeout: TEST_MS },
    async () => {
      await using folder = await tempFolder();
      const directory = `${folder.path}/ledger`;
      // Only its pipes identify this one, and they are not recorded.
      const programs = escapingPrograms().filter(
        ({ way }) => way !== 'starts a session without an environment',
      );
      const script = await folder.write(
        'host.mjs',
        `
        import { ProcessLedger, spawnProcess } from '${BUILT_ROOM}';
        const ledger = new ProcessLedger({ directory: ${JSON.stringify(directory)} });
        const specs = ${JSON.stringify(programs.map(({ spec }) => spec))};
        await Promise.all(specs.map((spec) => spawnProcess(spec, { ledger })));
      `,
      );
      try {
        const host = spawn(process.execPath, [script], { stdio: 'inherit' });
        await ready(programs);
        host.kill('SIGKILL');
        await once(host, 'exit');
        await new ProcessLedger({ directory }).sweep();
        expect(await gone(programs)).toBe(true);
      } finally {
        killLeft(programs);
      }
    },
  );
});
