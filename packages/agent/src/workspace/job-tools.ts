// `read_job` and `stop_job`: read the new output of a background command, and end it.

import { definedFields, type ToolAnswer, toolFailure } from '@plugboard/base';
import { z } from 'zod';
import { type Job, type Jobs, stateWords } from './jobs.ts';
import { OutputNews } from './output-news.ts';
import { defineTool, inputOf } from './tool.ts';

const LONGEST_WAIT_MS = 10 * 60_000;

const JOB = z.int().min(1).describe('As run_command gave it');

export const readJob = defineTool({
  name: 'read_job',
  title: 'Read a job',
  description:
    'What a command in the background has printed since you last read it, and whether it runs or how it ended. With ' +
    'wait_ms it waits for its end, or until it prints a text. Without a job it lists all of them.',
  reach: 'this-folder',
  effect: 'reads',
  input: inputOf({
    job: JOB.optional(),
    wait_ms: z
      .int()
      .min(0)
      .max(LONGEST_WAIT_MS)
      .default(0)
      .describe('How long to wait for its end at most'),
    until: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Wait for this text in its output as well, such as "listening on"'),
  }),
  async run({ job: id, wait_ms: ms, until }, { parts, signal, tell }) {
    const { jobs, clock } = parts;
    if (id === undefined) return listed(jobs);
    const job = jobs.find(id);
    if (job === undefined) return noJob(id, jobs);
    if (ms > 0) {
      using _ = new OutputNews(tell, clock);
      await job.waitFor({ ms, until }, signal);
    }
    return jobAnswer(job);
  },
});

export const stopJob = defineTool({
  name: 'stop_job',
  title: 'Stop a job',
  description:
    'Ends a command in the background with all that it started, and returns what it printed last.',
  reach: 'this-folder',
  effect: 'changes',
  input: inputOf({ job: JOB }),
  async run({ job: id }, { parts: { jobs } }) {
    const job = jobs.find(id);
    if (job === undefined) return noJob(id, jobs);
    await job.stop('the model');
    return jobAnswer(job);
  },
});

function jobAnswer(job: Job): ToolAnswer {
  const { text, omitted } = job.read();
  job.takeEnd();
  const { facts } = job;
  const head = `job ${job.id}, ${stateWords(facts)}`;
  return {
    kind: 'done',
    text: text === '' ? `${head}, and it has printed nothing new` : `${head}\n${text}`,
    data: {
      job: job.id,
      is_running: facts.end === undefined,
      ...definedFields({ end: facts.end }),
      omitted_bytes: omitted,
    },
  };
}

function listed(jobs: Jobs): ToolAnswer {
  const lines = jobs.all.map((facts) => `job ${facts.id}, ${stateWords(facts)}: ${facts.command}`);
  return {
    kind: 'done',
    text: lines.length === 0 ? 'there are no jobs' : lines.join('\n'),
    data: { jobs: jobs.all.map(({ id }) => id) },
  };
}

function noJob(id: number, jobs: Jobs): ToolAnswer {
  const known = jobs.all.map((job) => job.id).join(', ');
  return toolFailure(
    `there is no job ${id}; ${known === '' ? 'there are none: jobs end when the user leaves' : `there are: ${known}`}`,
  );
}
