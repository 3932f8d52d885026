// The tool `skill`: the model sees the names and descriptions of skills, and loads the text of one that fits the task. The
// same tool reads the files of the skill's folder, and no others.

import type { Result } from '@plugboard/base';
import { textAnswer } from '../conversation/index.ts';
import type { OwnTool } from './own-toolbox.ts';

export interface Skill {
  readonly name: string;
  /** Its purpose. */
  readonly about: string;
  /** Whether the model sees it. An unapproved skill can be used by name, after the user approves it. */
  readonly isListed: boolean;
  /** Its text, or the reason why it cannot be used. */
  readonly load: (signal: AbortSignal) => Promise<Result<string, string>>;
  /** Reads a file of its folder. */
  readonly read: (path: string, signal: AbortSignal) => Promise<Result<string, string>>;
}

const SKILL = 'skill';
const MOST_SKILLS = 60;
const MOST_CHARACTERS = 250;

const ABOUT = `Loads a skill: instructions of the user for one kind of task. When a task fits one of these, load it first and follow it. "file" reads a file that its text names, from its folder. There are:`;

export function skillTool(skills: () => readonly Skill[]): OwnTool {
  const listed = (): readonly Skill[] =>
    skills()
      .filter(({ isListed }) => isListed)
      .slice(0, MOST_SKILLS);
  return {
    title: 'Skill',
    isReadOnly: true,
    isOffered: () => listed().length > 0,
    get definition() {
      const lines = listed().map(({ name, about }) => `- ${name}: ${onOneLine(about)}`);
      return {
        name: SKILL,
        description: [ABOUT, ...lines].join('\n'),
        inputSchema: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'Which skill' },
            file: { type: 'string', description: 'A path in the folder of the skill' },
          },
          required: ['name'],
        },
      };
    },
    async run(call, { signal }) {
      const [name, file] = [call.arguments['name'], call.arguments['file'] ?? undefined];
      if (typeof name !== 'string' || (file !== undefined && typeof file !== 'string')) {
        return textAnswer(call, `${SKILL} takes { "name": "…", "file"?: "…" }.`, 'error');
      }
      const found = skills().find((one) => one.name === name.trim());
      if (found === undefined) {
        const names = listed().map((one) => one.name);
        const words = `There is no skill ${JSON.stringify(name)}. There are: ${names.join(', ')}.`;
        return textAnswer(call, words, 'error');
      }
      const given = file === undefined ? await found.load(signal) : await found.read(file, signal);
      return given.ok ? textAnswer(call, given.value) : textAnswer(call, given.error, 'error');
    },
  };
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim().slice(0, MOST_CHARACTERS);
}
