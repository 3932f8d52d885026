// The door of the room. The terminal sees only the types; the session is for whoever composes it.

export type * from './chat.ts';
export { Approvals } from './approvals.ts';
export { ChatSession } from './chat-session.ts';
export type { Opened } from './opened.ts';
export { Questions } from './questions.ts';
export type { TalkCommands } from './slash-commands.ts';
