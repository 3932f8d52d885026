import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, never } from '@plugboard/base';
import { ManualClock, tempFolder } from '@plugboard/testkit';
import { SIDE_LOST, SidePool } from '../../src/platform/side-pool.ts';

const program = new URL('./fixtures/worker.mjs', import.meta.url);
const pools: SidePool<string, string>[] = [];

describe('a pool of processes', () => {
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()));
  });

  it('runs every job, in no more processes than allowed', async () => {
    const { pool } = open(2);
    const words = Array.from({ length: 50 }, (_, index) => `job ${index}`);
    expect(await Promise.all(words.map((word) => pool.run(word, never)))).toEqual(
      words.map((word) => `${word}!`),
    );
    expect(pool.processes).toBe(2);
  });

  it.each(['die', 'throw'])('fails only the job that made its process %s', async (fatal) => {
    const { pool } = open(1);
    const jobs = ['a', fatal, 'b', 'c'].map((word) => pool.run(word, never));
    expect(await Promise.all(jobs.map(outcomeOf))).toEqual(['a!', SIDE_LOST, 'b!', 'c!']);
  });

  it('replaces a process that has grown large without losing a job', async () => {
    const { pool } = open(1);
    const before = await pool.run('pid', never);
    const jobs = ['grow', 'a', 'b', 'pid'].map((word) => pool.run(word, never));
    const [grown, a, b, after] = await Promise.all(jobs);
    expect([grown, a, b, pool.processes]).toEqual(['grow!', 'a!', 'b!', 1]);
    expect(after).not.toBe(before);
  });

  it('repeats a job if something else has killed its process', async () => {
    await using place = await tempFolder();
    const { pool } = open(1);
    const once = `die once ${place.path}/died`;
    const jobs = ['a', once, 'b'].map((word) => pool.run(word, never));
    expect(await Promise.all(jobs.map(outcomeOf))).toEqual(['a!', `${once}!`, 'b!']);
  });

  it('stops a process that takes too long for one job', async () => {
    const { pool, clock } = open(1);
    const jobs = ['hang', 'next'].map((word) => outcomeOf(pool.run(word, never)));
    await clock.advance(1_000);
    expect(await Promise.all(jobs)).toEqual([SIDE_LOST, 'next!']);
  });

  it('waits for a process that gets no processor time, but not forever', async () => {
    let used = 0;
    const { pool, clock } = open(1, () => used);
    let isOver = false;
    const stuck = outcomeOf(pool.run('hang', never)).finally(() => (isOver = true));
    await clock.advance(5_000);
    expect([isOver, pool.processes]).toEqual([false, 1]);
    used = 1_000;
    await clock.advance(1_000);
    expect(await stuck).toBe(SIDE_LOST);
    const starved = outcomeOf(pool.run('hang', never));
    await clock.advance(15_000);
    expect(await starved).toBe(SIDE_LOST);
  });

  it('starts processes ahead of the jobs, which end if none come', async () => {
    const { pool, clock } = open(2);
    pool.prepare();
    expect(pool.processes).toBe(2);
    expect(await pool.run('a', never)).toBe('a!');
    expect(pool.processes).toBe(2);
    await clock.advance(500);
    expect(pool.processes).toBe(0);
    await pool.close();
    pool.prepare();
    expect(pool.processes).toBe(0);
  });

  it('stops processes that have been idle for a while', async () => {
    const { pool, clock } = open(1);
    await pool.run('a', never);
    expect(pool.processes).toBe(1);
    await clock.advance(500);
    expect(pool.processes).toBe(0);
    expect(await pool.run('b', never)).toBe('b!');
  });

  it('removes an aborted job from the queue', async () => {
    const { pool, clock } = open(1);
    const stuck = [pool.run('hang', never), pool.run('a', never)].map(outcomeOf);
    const giveUp = new AbortController();
    const unwanted = pool.run('die', giveUp.signal);
    giveUp.abort(new Error('no longer wanted'));
    await expect(unwanted).rejects.toThrow('no longer wanted');
    await clock.advance(1_000);
    expect(await Promise.all(stuck)).toEqual([SIDE_LOST, 'a!']);
    await expect(pool.run('a', giveUp.signal)).rejects.toThrow('no longer wanted');
  });

  it('rejects the remaining jobs when it is closed, and leaves no process', async () => {
    const { pool } = open(2);
    const jobs = ['hang', 'hang', 'a', 'b'].map((word) => pool.run(word, never)).map(outcomeOf);
    expect(pool.processes).toBe(2);
    await Promise.all([pool.close(), pool.close()]);
    expect(await Promise.all(jobs)).toEqual(Array.from({ length: 4 }, () => 'side-pool-closed'));
    expect(pool.processes).toBe(0);
    expect(await outcomeOf(pool.run('late', never))).toBe('side-pool-closed');
  });
});

/** By default a hanging process uses all the time that passes. */
function open(
  size: number,
  usedBy?: () => number,
): { pool: SidePool<string, string>; clock: ManualClock } {
  const clock = new ManualClock();
  const pool = new SidePool<string, string>({
    program,
    size,
    clock,
    idleMs: 500,
    mostMsPerJob: 1_000,
    usedBy: usedBy ?? (() => clock.elapsed()),
  });
  pools.push(pool);
  return { pool, clock };
}

async function outcomeOf(job: Promise<string>): Promise<string | undefined> {
  try {
    return await job;
  } catch (thrown) {
    return codeOf(thrown);
  }
}
