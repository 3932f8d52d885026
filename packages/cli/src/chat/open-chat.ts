// What a chat works with once it is open: the host, and the conversation over it.

import type { AgentEvent, UserMessage } from '@plugboard/agent';
import type { Host } from '@plugboard/host';
import type { Notice, ServerAction } from './chat.ts';
import type { TalkCommands } from './slash-commands.ts';

export interface OpenChat extends AsyncDisposable {
  readonly host: Host;
  /** It may have been chosen since. */
  readonly hasModel: boolean;
  /** A turn; it never throws and ends with `turn-ended`. */
  send(message: UserMessage, signal: AbortSignal): AsyncIterable<AgentEvent>;
  readonly commands: TalkCommands;
  act(server: string, action: ServerAction): Promise<Notice>;
}
