// The conversation that a command goes on with: a new one, the last of this folder, or the one that is named.

import { type OpenTranscript, Transcripts } from '@plugboard/agent';
import { systemClock } from '@plugboard/base';
import type { HostEnvironment } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';
import { writeFix } from '../print/system-words.ts';

export interface ResumeWish {
  /** The last one. */
  readonly continues: boolean;
  /** The one with this id; `true` for the one that the user chooses on the screen. */
  readonly resume: string | true | undefined;
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

export async function resumedConversation(
  transcripts: Transcripts,
  { continues, resume }: ResumeWish,
  model: string,
): Promise<OpenTranscript> {
  if (typeof resume === 'string') {
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
