// What a chat is told by files of instructions, and what the person does with them there: see which there are, add a
// line, and have a first one drafted.

import { join } from 'node:path';
import type { PromptNotes } from '@plugboard/agent';
import { messageOf } from '@plugboard/base';
import {
  type AdmittedConfiguration,
  approveNotes,
  type HostEnvironment,
  readTextFile,
  writeFileAtomically,
} from '@plugboard/host/configuration';
import type { SubmitResult, TalkCommands } from '../chat/index.ts';
import type { Context } from '../context.ts';
import { notesProblemWords, type ReadyNotes, USE_NOTES } from '../print/notes-words.ts';
import { shortPath } from '../print/place.ts';
import { visible } from '../print/visible.ts';
import { type NotesHere, notesHere, notesTold, ownNotesPaths } from './folder-notes.ts';

export interface MemoryPorts {
  readonly context: Context;
  readonly environment: HostEnvironment;
  readonly configuration: AdmittedConfiguration;
}

const FILE = 'AGENTS.md';
const MOST_BYTES = 256 * 1024;

export class ChatMemory implements Pick<TalkCommands, 'memory' | 'note'> {
  readonly #ports: MemoryPorts;
  #here: NotesHere;

  private constructor(ports: MemoryPorts, here: NotesHere) {
    this.#ports = ports;
    this.#here = here;
  }

  static async open(ports: MemoryPorts): Promise<ChatMemory> {
    return new ChatMemory(ports, await read(ports));
  }

  get here(): NotesHere {
    return this.#here;
  }

  told(): readonly PromptNotes[] {
    return notesTold(this.#here);
  }

  /** From now on the model is told. */
  use(notes: ReadyNotes): void {
    const { used, waiting, ...rest } = this.#here;
    this.#here = {
      ...rest,
      used: [...used, notes],
      waiting: waiting.filter((one) => one !== notes),
    };
  }

  async memory(): Promise<SubmitResult> {
    const { environment } = this.#ports;
    const now = await read(this.#ports);
    const line = (name: string, words: string): string => `  ${visible(name)}  ${words}`;
    const lines = [
      ...now.own.map(({ name }) => line(name, 'yours, used everywhere')),
      ...now.used.map(({ file }) => line(file.name, 'used in this folder')),
      ...now.waiting.map(({ file }) =>
        line(file.name, `not used: read and approve it: ${USE_NOTES}`),
      ),
      ...now.declined.map(({ file }) => line(file.name, `declined; to use it: ${USE_NOTES}`)),
    ];
    const places = ownNotesPaths(environment).map((path) => shortPath(path, environment));
    const none = [
      `  None yet. /init drafts ${FILE}; your own for every folder: ${places.join(', ')}`,
    ];
    const text = [
      'Instructions for the model:',
      ...(lines.length === 0 ? none : lines),
      `# and a line adds it to ${FILE} of this folder. An edited file is asked about in the next chat.`,
    ];
    return { kind: 'shown', text: text.join('\n') };
  }

  /** The person wrote the line, so a file that counted before still does. */
  async note(line: string): Promise<SubmitResult> {
    const { environment } = this.#ports;
    const path = join(environment.cwd, FILE);
    try {
      const found = await readTextFile(path, { maxBytes: MOST_BYTES });
      if (!found.ok && found.error.kind !== 'missing') {
        return { kind: 'problem', message: notesProblemWords(found.error, environment) };
      }
      const before = found.ok ? found.value : '';
      const known = (await read(this.#ports)).used.some(
        ({ file }) => join(file.root, file.name) === path,
      );
      const gap = before === '' || before.endsWith('\n') ? '' : '\n';
      // A link that came with the folder could lead to any file of the user.
      await writeFileAtomically(path, `${before}${gap}- ${line}\n`, { links: 'refuse' });
      const after = await read(this.#ports);
      const mine = after.waiting.find(({ file }) => join(file.root, file.name) === path);
      if (mine !== undefined && (known || before === '')) {
        await approveNotes(environment, mine.file);
        this.#here = await read(this.#ports);
        return { kind: 'shown', text: `added to ${FILE}, which is used here` };
      }
      this.#here = { ...this.#here, used: after.used };
      const words = mine === undefined ? '' : `; it is not used yet: ${USE_NOTES}`;
      return { kind: 'shown', text: `added to ${FILE}${words}` };
    } catch (thrown) {
      return { kind: 'problem', message: `${FILE} was not written: ${messageOf(thrown)}` };
    }
  }
}

function read({ context, environment, configuration }: MemoryPorts): Promise<NotesHere> {
  return notesHere(context, environment, configuration);
}
