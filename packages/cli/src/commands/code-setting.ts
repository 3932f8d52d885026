// Whether the model may write scripts, by the user's own settings.

import type { ChatSetting } from '@plugboard/host/configuration';

/** `chat` is what they say, strongest first. */
export function mayWriteScripts(chat: readonly Pick<ChatSetting, 'code'>[]): boolean {
  return chat.find(({ code }) => code !== undefined)?.code ?? false;
}
