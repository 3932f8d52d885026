// Reads the setting `chat` of one file. Admission decides whose settings count: the author of this one
// chooses where the key and the whole conversation are sent.

import type { ConfigFile, Origin, Scope, SettingsText, ShapeValue } from '../text/index.ts';
import { chatShape } from './chat-shape.ts';
import { readObjectSetting, type ReadSettings } from './object-setting.ts';

const CHAT_KEY = 'chat';

type ChatFields = ShapeValue<typeof chatShape>;

export interface ChatSetting extends ChatFields {
  readonly scope: Scope;
  readonly origin: Origin;
}

const KIND = {
  key: CHAT_KEY,
  shape: chatShape,
  suggestion: 'Write it like "chat": { "model": "anthropic/NAME" }, or take it out.',
};

/** Never throws. */
export function readChatSetting(
  settings: SettingsText | undefined,
  file: Pick<ConfigFile, 'scope' | 'format'>,
): ReadSettings<ChatSetting> {
  const read = readObjectSetting(settings, file, KIND);
  if (read === undefined) return { settings: [], diagnostics: [] };
  const { origin, right, diagnostics } = read;
  // The shape has checked every remaining field.
  return { settings: [{ ...(right as ChatFields), scope: file.scope, origin }], diagnostics };
}
