// The conversation that a command goes on with: a new one, the last of this folder, or the one that is named.

import { type OpenTranscript, type TranscriptEntry, Transcripts } from '@plugboard/agent';
import { systemClock } from '@plugboard/base';
import type { HostEnvironment } from '@plugboard/host/configuration';
import { oneLine } from '../print/sanitise.ts';
import { ageOf } from '../print/times.ts';
import { UsageError } from '../usage-error.ts';
import { writeFix } from '../print/system-words.ts';

export interface TakeUpWish {
  /** The last one. */
  readonly continues: boolean;
  readonly resume: string | undefined;
}

/** `unkept` hears it once that a conversation cannot be written, in words for the person. */
export function transcriptsOf(
  { paths, cwd }: HostEnvironment,
  unkept: (words: string) => void,
): Transcripts {
  return new Transcripts({
    state: paths.state,
    folder: cwd,
    clock: systemClock,
    onUnwritable: (_path, code) =>
      unkept(
        `this conversation is not kept just now: ${paths.state} cannot be written (${code}); fix: ${writeFix(code)}`,
      ),
  });
}

export async function takenUp(
  transcripts: Transcripts,
  { continues, resume }: TakeUpWish,
  model: string,
): Promise<OpenTranscript> {
  if (resume !== undefined) {
    const found = await transcripts.resume(resume);
    if (found !== undefined) return found;
    const listed = await transcripts.list();
    throw new UsageError(
      `there is no conversation "${resume}" in this folder`,
      listed.length === 0
        ? 'begin one: plugboard chat'
        : `use one of these: ${listed
            .slice(0, 5)
            .map(({ id }) => id)
            .join(', ')}`,
    );
  }
  const last = continues ? await transcripts.latest() : undefined;
  if (continues && last === undefined) {
    throw new UsageError(
      'there is no conversation in this folder yet',
      'begin one: plugboard chat',
    );
  }
  return last ?? transcripts.begin(model);
}

/** With the rest of its line it fits into 80 columns. */
const MOST_TITLE = 38;

export function sessionsText(entries: readonly TranscriptEntry[]): string {
  if (entries.length === 0) return 'There are no conversations in this folder yet.';
  const now = systemClock.now();
  const ages = entries.map(({ changedAt }) => ageOf(now - changedAt));
  const widest = Math.max(...ages.map((age) => age.length));
  const lines = entries.map(
    ({ id, title }, index) =>
      `${id}  ${(ages[index] ?? '').padEnd(widest)}  ${oneLine(title, MOST_TITLE)}`,
  );
  return `${lines.join('\n')}\nTake one up again: plugboard chat --resume ID`;
}
