// Opens the conversation for a command: a new one, the last one of this folder, or the named one.

import { type OpenTranscript, Transcripts } from '@plugboard/agent';
import { systemClock } from '@plugboard/base';
import type { HostEnvironment } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';
import { writeFix } from '../print/system-words.ts';

export interface ResumeWish {
  /** Whether to continue the last conversation. */
  readonly continues: boolean;
  /** The id of a conversation. `true` if the user chooses one on the screen. */
  readonly resume: string | true | undefined;
}

/** Calls `warn` once if a conversation cannot be written. */
export function transcriptsOf(
  { paths, cwd }: HostEnvironment,
  warn: (words: string) => void,
): Transcripts {
  return new Transcripts({
    state: paths.state,
    folder: cwd,
    clock: systemClock,
    onUnwritable: (_path, code) =>
      warn(
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
