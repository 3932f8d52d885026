// The files of instructions in a chat: lists them, opens one in an editor, and adds a line.

import { dirname, join } from 'node:path';
import type { PromptNotes } from '@plugboard/agent';
import { messageOf } from '@plugboard/base';
import {
  type AdmittedConfiguration,
  approveNotes,
  type HostEnvironment,
  readTextFile,
  writeFileAtomically,
} from '@plugboard/host/configuration';
import { ensureFolder } from '@plugboard/host/processes';
import type { SubmitResult, TalkCommands } from '../chat/index.ts';
import type { Context } from '../context.ts';
import { notesProblemWords, type ReadyNotes, USE_NOTES } from '../print/notes-words.ts';
import { shortPath } from '../print/place.ts';
import { visible } from '../print/visible.ts';
import { editorFor } from './editor-program.ts';
import { type NotesHere, notesHere, promptNotes, ownNotesPaths } from './folder-notes.ts';

export interface MemoryOptions {
  readonly context: Context;
  readonly environment: HostEnvironment;
  readonly configuration: AdmittedConfiguration;
}

const FILE = 'AGENTS.md';
const MAX_BYTES = 256 * 1024;
/** The argument of `/memory` after the editor has ended. */
const EDITED = '--edited';

export class ChatMemory implements Pick<TalkCommands, 'memory' | 'note'> {
  readonly #options: MemoryOptions;
  #here: NotesHere;
  /** The file in the editor. */
  #opened: MemoryFile | undefined;

  private constructor(options: MemoryOptions, here: NotesHere) {
    this.#options = options;
    this.#here = here;
  }

  static async open(options: MemoryOptions): Promise<ChatMemory> {
    return new ChatMemory(options, await read(options));
  }

  get here(): NotesHere {
    return this.#here;
  }

  promptNotes(): readonly PromptNotes[] {
    return promptNotes(this.#here);
  }

  /** Adds the instructions to the prompt from now on. */
  use(notes: ReadyNotes): void {
    const { used, waiting, ...rest } = this.#here;
    this.#here = {
      ...rest,
      used: [...used, notes],
      waiting: waiting.filter((one) => one !== notes),
    };
  }

  async memory(which: string | undefined): Promise<SubmitResult> {
    if (which === EDITED) return this.#afterEdit();
    const now = await read(this.#options);
    const files = memoryFiles(now, this.#options.environment);
    if (which !== undefined) return this.#open(which, files);
    const { problems } = now;
    const words = problems.map((one) => notesProblemWords(one, this.#options.environment));
    return {
      kind: 'pick',
      picker: {
        title: 'Instructions for the model',
        rows: files.map(({ label, state }) => ({
          label,
          detail: state,
          line: `/memory ${label}`,
        })),
        empty: '',
        note: [
          'Enter opens one in your editor. # and a line adds it to AGENTS.md here.',
          ...words,
        ].join(' '),
      },
    };
  }

  async #open(which: string, files: readonly MemoryFile[]): Promise<SubmitResult> {
    const { environment } = this.#options;
    const file = files.find(({ label }) => label === which);
    if (file === undefined) {
      const message = `no file of instructions is called ${visible(which)}`;
      return { kind: 'problem', message, fix: 'choose one: /memory' };
    }
    const editor = await editorFor(environment, file.path);
    if (!editor.ok) {
      return { kind: 'problem', message: editor.error, fix: 'set one: export EDITOR=nano' };
    }
    await ensureFolder(dirname(file.path));
    this.#opened = file;
    return { kind: 'program', ...editor.value, next: `/memory ${EDITED}` };
  }

  /** The user wrote the file, so a new file is approved, and a file that was used before stays approved. */
  async #afterEdit(): Promise<SubmitResult> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return { kind: 'problem', message: 'no file was opened' };
    const after = await read(this.#options);
    const mine = after.waiting.find(({ file }) => join(file.root, file.name) === opened.path);
    if (mine !== undefined && opened.isTrusted && (await includesNothing(opened.path, mine))) {
      await approveNotes(this.#options.environment, mine.file);
    }
    this.#here = await read(this.#options);
    const now = memoryFiles(this.#here, this.#options.environment);
    const state = now.find(({ path }) => path === opened.path)?.state;
    return { kind: 'shown', text: `${opened.label}: ${state ?? 'not used'}` };
  }

  /** The user wrote the line, so a file that was used before stays approved. */
  async note(line: string): Promise<SubmitResult> {
    const { environment } = this.#options;
    const path = join(environment.cwd, FILE);
    try {
      const found = await readTextFile(path, { maxBytes: MAX_BYTES });
      if (!found.ok && found.error.kind !== 'missing') {
        return { kind: 'problem', message: notesProblemWords(found.error, environment) };
      }
      const before = found.ok ? found.value : '';
      const known = (await read(this.#options)).used.some(
        ({ file }) => join(file.root, file.name) === path,
      );
      const gap = before === '' || before.endsWith('\n') ? '' : '\n';
      // A link in the folder could lead to any file of the user.
      await writeFileAtomically(path, `${before}${gap}- ${line}\n`, { links: 'refuse' });
      const after = await read(this.#options);
      const mine = after.waiting.find(({ file }) => join(file.root, file.name) === path);
      if (mine !== undefined && (known || before === '')) {
        await approveNotes(environment, mine.file);
        this.#here = await read(this.#options);
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

interface MemoryFile {
  readonly label: string;
  readonly path: string;
  readonly state: string;
  /** Whether edits by the user are approved: the file is used now, or does not exist yet. */
  readonly isTrusted: boolean;
}

const MISSING = 'not there yet';

function memoryFiles(
  { own, used, waiting, declined, problems }: NotesHere,
  environment: HostEnvironment,
): readonly MemoryFile[] {
  const ofUser = ownNotesPaths(environment).map((path) => {
    const label = shortPath(path, environment);
    const isThere = own.some(({ name }) => name === label);
    const state = isThere ? 'yours, used everywhere' : MISSING;
    return { label, path, state, isTrusted: true };
  });
  type Row = Pick<MemoryFile, 'state' | 'isTrusted'>;
  const row =
    (look: Row) =>
    ({ file }: ReadyNotes): MemoryFile => ({
      label: file.name,
      path: join(file.root, file.name),
      ...look,
    });
  const ofProject = [
    ...used.map(row({ state: 'used in this folder', isTrusted: true })),
    ...waiting.map(row({ state: `not approved: ${USE_NOTES}`, isTrusted: false })),
    ...declined.map(row({ state: `declined; to use it: ${USE_NOTES}`, isTrusted: false })),
  ];
  const path = join(environment.cwd, FILE);
  const isThere = [...ofProject, ...problems].some((one) => one.path === path);
  return [
    ...ofUser,
    ...ofProject,
    ...(isThere ? [] : [{ label: `./${FILE}`, path, state: MISSING, isTrusted: true }]),
  ];
}

/** Whether the file includes no other files, which the user has not edited. */
async function includesNothing(path: string, { file }: ReadyNotes): Promise<boolean> {
  const written = await readTextFile(path, { maxBytes: MAX_BYTES });
  return written.ok && written.value === file.text;
}

function read({ context, environment, configuration }: MemoryOptions): Promise<NotesHere> {
  return notesHere(context, environment, configuration);
}
