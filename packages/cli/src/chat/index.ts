// The door of the room. The terminal sees only the types; the rest is for whoever composes a chat.

export type * from './chat.ts';
export { AgentChat } from './agent-chat.ts';
export { Approvals } from './approvals.ts';
export { NotesQuestions } from './notes-questions.ts';
export type { Opened } from './opened.ts';
export { Questions } from './questions.ts';
export type { TalkCommands } from './slash-commands.ts';
