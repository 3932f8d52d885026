// The public entry of this folder. The terminal uses the types only; the rest is for the code that assembles a chat.

export type * from './chat.ts';
export { AgentChat, type OpenChat } from './agent-chat.ts';
export type { Approvals } from './approvals.ts';
export { type ChatDesk, openDesk } from './chat-desk.ts';
export type { NotesQuestions } from './notes-questions.ts';
export type { SlashCommand, TalkCommands } from './slash-commands.ts';
