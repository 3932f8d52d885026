// Reads from the user's own settings whether the model may write scripts.

import type { ChatSetting } from '@plugboard/host/configuration';

/** `chat` contains the settings, strongest first. */
export function mayWriteScripts(chat: readonly Pick<ChatSetting, 'code'>[]): boolean {
  return chat.find(({ code }) => code !== undefined)?.code ?? false;
}
