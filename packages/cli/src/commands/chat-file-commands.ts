// The chat commands that are files. A command of a project is shown to the user first, and runs only after its text was
// approved.

import type { SlashCommand } from '../chat/index.ts';
import { type ApprovalOfFiles, isApproved } from './approved-file.ts';
import { commandFiles, fillIn } from './command-files.ts';
import type { MarkdownSource } from './markdown-files.ts';

export async function fileCommands(
  source: MarkdownSource,
  approval: ApprovalOfFiles,
): Promise<readonly SlashCommand[]> {
  const files = await commandFiles(source);
  return files.map((file) => ({
    name: file.name,
    usage: file.usage,
    about: file.about,
    run: async ({ rest, words }) => {
      if (!(await isApproved(file.notes, approval))) {
        return { kind: 'problem', message: `/${file.name} is not used: you have not approved it` };
      }
      return { kind: 'message', text: fillIn(file.text, rest, words), allows: file.allows };
    },
  }));
}
