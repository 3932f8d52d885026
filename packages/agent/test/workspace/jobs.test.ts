// Background commands, which a client of the workspace starts, reads and stops.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import { allowAll, type ApprovalRequest, denyAll } from '@plugboard/host';
import { allProcesses, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { connected, ERAS, givenWorkspace, hostWith, pathsIn } from './given-workspace.ts';

function isRunning(words: string): boolean {
  return allProcesses().some(({ command }) => command.includes(words));
}

/** Long enough for any machine: each wait ends by its condition. */
const PATIENT = { wait_ms: 60_000 };
const START = { background: true };

describe.each(ERAS)('a command in the background, %s', (era) => {
  verifies('AGT-19');

  it('returns its number at once, and each read returns what is new', async () => {
    await using scope = new Scope();
    const { call, folder } = await givenWorkspace(scope, { era });
    const command = 'echo one; until [ -e go ]; do sleep 0.01; done; echo two; exit 3';
    const started = await call('run_command', { command, ...START });
    expect(started).toMatchObject({ isError: false, data: { job: 1 } });
    expect(started.text).toContain('job 1 runs in the background');
    const first = await call('read_job', { job: 1, until: 'one', ...PATIENT });
    expect(first.text).toMatch(/^job 1, running for \d+ s\none\n$/u);
    expect(first.data).toEqual({ job: 1, is_running: true, omitted_bytes: 0 });
    const none = await call('read_job', { job: 1 });
    expect(none.text).toMatch(/and it has printed nothing new$/u);
    await folder.write('tree/go', '');
    const last = await call('read_job', { job: 1, ...PATIENT });
    expect(last.text).toMatch(/^job 1, exit code 3 after \d+ s\ntwo\n$/u);
    expect(last.data).toMatchObject({ is_running: false, end: 'exit code 3' });
  });

  it('continues when its client disconnects, and another client can read it', async () => {
    await using scope = new Scope();
    const { call, workspace } = await givenWorkspace(scope, { era });
    const other = await connected(workspace, era);
    await other.callTool({
      name: 'run_command',
      arguments: { command: 'echo up; sleep 7511', ...START },
    });
    await other.close();
    const read = await call('read_job', { job: 1, until: 'up', ...PATIENT });
    expect(read.text).toMatch(/running for/u);
    expect(isRunning('sleep 7511')).toBe(true);
    expect((await call('read_job', {})).text).toMatch(/^job 1, running for .*: echo up/u);
  });
});

describe('a job', () => {
  verifies('AGT-19');

  it('is stopped with all that it started, also if it ignores signals', async () => {
    await using scope = new Scope();
    const { call } = await givenWorkspace(scope);
    const command = "trap '' INT TERM; sleep 7521 & setsid sleep 7522 & echo up; sleep 7523";
    await call('run_command', { command, ...START });
    await call('read_job', { job: 1, until: 'up', ...PATIENT });
    const stopped = await call('stop_job', { job: 1 });
    expect(stopped.text).toMatch(/^job 1, stopped by the model after/u);
    expect(['sleep 7521', 'sleep 7522', 'sleep 7523'].filter(isRunning)).toEqual([]);
    expect((await call('stop_job', { job: 1 })).text).toMatch(/stopped by the model/u);
  });

  it('ends with the workspace, and its record is gone then', async () => {
    await using scope = new Scope();
    const { call, workspace, folder } = await givenWorkspace(scope);
    await call('run_command', { command: 'echo up; sleep 7531', ...START });
    await call('read_job', { job: 1, until: 'up', ...PATIENT });
    const records = join(pathsIn(folder).state, 'processes');
    // By this record, the next program ends it if this one is killed.
    await waitUntil(async () => (await readdir(records)).length === 1, { describe: 'a record' });
    await workspace.close();
    expect(isRunning('sleep 7531')).toBe(false);
    expect(await readdir(records)).toEqual([]);
  });

  it('has the time limit that the call gives it', async () => {
    await using scope = new Scope();
    const { call } = await givenWorkspace(scope);
    await call('run_command', { command: 'sleep 7541', timeout_ms: 100, ...START });
    const read = await call('read_job', { job: 1, ...PATIENT });
    expect(read.text).toMatch(/^job 1, took longer than 100 ms and was ended after/u);
    expect(isRunning('sleep 7541')).toBe(false);
  });

  it('is limited in number, and the last ended ones can still be read', async () => {
    await using scope = new Scope();
    const { call } = await givenWorkspace(scope, { limits: { jobs: 2 } });
    for (const command of ['sleep 7551', 'sleep 7552']) {
      await call('run_command', { command, ...START });
    }
    expect(await call('run_command', { command: 'echo no', ...START })).toMatchObject({
      isError: true,
      text: '2 jobs run already; end one with stop_job first',
    });
    await call('stop_job', { job: 1 });
    for (let id = 3; id <= 25; id += 1) {
      await call('run_command', { command: `echo ${id}`, ...START });
      await call('read_job', { job: id, ...PATIENT });
    }
    expect(await call('read_job', { job: 1 })).toMatchObject({ isError: true });
    const { text } = await call('read_job', {});
    expect(text.split('\n').length).toBeLessThanOrEqual(22);
    expect(text).toMatch(/^job 2, running for/u);
  });

  it('keeps a bounded part of its output, and says how much was left out', async () => {
    await using scope = new Scope();
    const { call, workspace } = await givenWorkspace(scope, { limits: { outputBytes: 2000 } });
    const command = 'echo begin; seq 100000; echo end';
    await call('run_command', { command, ...START });
    const read = await call('read_job', { job: 1, ...PATIENT });
    expect(read.text.length).toBeLessThan(2200);
    expect(read.text).toMatch(/begin\n[\s\S]*bytes left out[\s\S]*\nend\n$/u);
    expect(workspace.jobs.find(1)?.output.text.length).toBeLessThan(2200);
  });

  it('is read in whole characters, wherever its output was cut', async () => {
    await using scope = new Scope();
    const { call, folder } = await givenWorkspace(scope);
    const command = String.raw`printf 'a\303'; until [ -e go ]; do sleep 0.01; done; printf '\251'`;
    await call('run_command', { command, ...START });
    const first = await call('read_job', { job: 1, until: 'a', ...PATIENT });
    await folder.write('tree/go', '');
    const rest = await call('read_job', { job: 1, ...PATIENT });
    expect([first.text, rest.text].map((text) => text.split('\n')[1])).toEqual(['a', 'é']);
  });

  it('that does not exist is reported with the existing ones', async () => {
    await using scope = new Scope();
    const { call } = await givenWorkspace(scope);
    expect((await call('read_job', { job: 4 })).text).toMatch(/there is no job 4; there are none/u);
    await call('run_command', { command: 'true', ...START });
    expect((await call('stop_job', { job: 4 })).text).toBe('there is no job 4; there are: 1');
  });

  it('reports its end once: to the reader, or with the next message', async () => {
    await using scope = new Scope();
    const { call, workspace } = await givenWorkspace(scope);
    const { jobs } = workspace;
    await call('run_command', { command: 'echo read; sleep 7561', ...START });
    await call('run_command', { command: 'echo unread', ...START });
    await waitUntil(() => jobs.running === 1, { describe: 'the end of the second job' });
    expect(jobs.news('same')).toEqual([
      {
        label: 'job 2: echo unread',
        text: expect.stringMatching(/^exit code 0 after .*unread$/su),
      },
    ]);
    expect(jobs.news('same')).toEqual([]);
    // A conversation that replaces another one gets the running jobs.
    await waitUntil(() => jobs.all[0]?.lastLine === 'read', { describe: 'its output' });
    expect(jobs.news('another')).toEqual([
      {
        label: 'job 1: echo read; sleep 7561',
        text: expect.stringMatching(/^running for .*read$/su),
      },
    ]);
    await call('stop_job', { job: 1 });
    expect(jobs.news('same')).toEqual([]);
  });
});

describe('the jobs of a host', () => {
  verifies('AGT-19');

  it('start after the approval that a foreground command needs, and are read without one', async () => {
    await using scope = new Scope();
    const { workspace } = await givenWorkspace(scope);
    const asked: ApprovalRequest[] = [];
    const answers = [denyAll, allowAll];
    const host = await hostWith(scope, workspace, {
      approve: (request: ApprovalRequest) => {
        asked.push(request);
        return (answers[asked.length - 1] ?? denyAll)(request);
      },
    });
    const run = { server: 'workspace', tool: 'run_command' };
    const given = { command: 'sleep 7571', background: true };
    expect((await host.call(run, given)).kind).toBe('denied');
    expect(workspace.jobs.all).toEqual([]);
    expect((await host.call(run, given)).kind).toBe('result');
    expect(asked.map((request) => request.arguments)).toEqual([given, given]);
    const outcomes = [
      await host.call({ server: 'workspace', tool: 'read_job' }, { job: 1 }),
      await host.call({ server: 'workspace', tool: 'stop_job' }, { job: 1 }),
    ];
    expect(outcomes.map(({ kind }) => kind)).toEqual(['result', 'result']);
    expect(asked).toHaveLength(2);
  });

  it('are allowed by the rule that allows the command in the foreground, and by no other', async () => {
    await using scope = new Scope();
    const { workspace } = await givenWorkspace(scope);
    const host = await hostWith(scope, workspace, {
      approve: denyAll,
      permissions: { allow: ['workspace/run_command(echo *)'] },
    });
    const run = { server: 'workspace', tool: 'run_command' };
    const kinds = [
      await host.call(run, { command: 'echo one' }),
      await host.call(run, { command: 'echo one', background: true }),
      await host.call(run, { command: 'sleep 7581', background: true }),
      await host.call(run, { command: 'echo one & sleep 7582', background: true }),
    ].map(({ kind }) => kind);
    expect(kinds).toEqual(['result', 'result', 'denied', 'denied']);
  });
});
