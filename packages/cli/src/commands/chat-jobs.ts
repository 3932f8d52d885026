// `/jobs`: lists the commands in the background, shows the output of one, and stops it.

import type { JobFacts, Jobs } from '@plugboard/agent/workspace';
import type { ChatEvent, PickerRow, SubmitResult } from '../chat/index.ts';
import { oneLine } from '../print/sanitise.ts';
import { ageOf } from '../print/times.ts';

export async function showJobs(
  id: string | undefined,
  what: string | undefined,
  jobs: Jobs,
): Promise<SubmitResult> {
  if (id === undefined) return listJobs(jobs);
  const job = jobs.find(Number(id));
  if (job === undefined) {
    const message = `there is no job "${oneLine(id, 40)}"`;
    return { kind: 'problem', message, fix: 'see the list: /jobs' };
  }
  switch (what) {
    case undefined:
      return showJob(job.facts, lastLines(job.output.text, id));
    case 'all':
      return showJob(job.facts, job.output.text);
    case 'stop':
      await job.stop('the user');
      return showJob(job.facts, lastLines(job.output.text, id));
    default: {
      const message = `"${oneLine(what, 40)}" is not an action for a job`;
      return { kind: 'problem', message, fix: `/jobs ${id}, /jobs ${id} all or /jobs ${id} stop` };
    }
  }
}

const LAST_LINES = 30;

function lastLines(output: string, id: string): string {
  const lines = output.trimEnd().split('\n');
  const above = lines.length - LAST_LINES;
  if (above <= 0) return output;
  return [`… ${above} lines above: /jobs ${id} all`, ...lines.slice(-LAST_LINES)].join('\n');
}

function listJobs(jobs: Jobs): SubmitResult {
  const rows = jobs.all.toReversed().map((job): PickerRow => ({
    label: `${job.id}: ${oneLine(job.command, 120)}`,
    detail: [stateOf(job), oneLine(job.lastLine, 40)].filter((text) => text !== '').join(' · '),
    line: `/jobs ${job.id}`,
    ...(job.end === undefined ? { isCurrent: true } : {}),
  }));
  return {
    kind: 'pick',
    picker: {
      title: `Commands in the background: ${jobs.running} running`,
      rows,
      empty: 'No command was started in the background.',
      note: 'Enter shows what a command has printed, and can stop it. All end when you leave.',
    },
  };
}

function showJob(job: JobFacts, output: string): SubmitResult {
  const text = `job ${job.id}: ${oneLine(job.command, 200)}\n${stateOf(job)}\n${output.trimEnd()}`;
  if (job.end !== undefined) return { kind: 'shown', text: text.trimEnd() };
  return {
    kind: 'pick',
    picker: {
      title: `Job ${job.id} is running`,
      text: text.trimEnd(),
      rows: [
        { label: 'Leave it running', detail: '', line: '/jobs' },
        { label: 'Read it again', detail: '', line: `/jobs ${job.id}` },
        { label: 'Stop it', detail: '', line: `/jobs ${job.id} stop` },
      ],
      empty: '',
    },
  };
}

function stateOf({ end, ms }: JobFacts): string {
  const time = ms < 60_000 ? `${Math.round(ms / 1000)} s` : ageOf(ms).replace(/ ago$/u, '');
  return end === undefined ? `running for ${time}` : `${end} after ${time}`;
}

/** Emits the number of running jobs, and a notice when a job ends. */
export function reportJobs(jobs: Jobs, emit: (event: ChatEvent) => void): Disposable {
  return jobs.on(({ id, command, end }) => {
    emit({ kind: 'jobs', running: jobs.running });
    if (end === undefined) return;
    const text = `job ${id} has ended: ${end} · ${oneLine(command, 80)} · /jobs ${id} shows it`;
    emit({ kind: 'notice', notice: { level: 'info', text } });
  });
}
