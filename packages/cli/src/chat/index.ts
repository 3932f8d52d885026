// The public entry of this folder. The terminal uses the types only; the rest is for the code that assembles a chat.

export type * from './chat.ts';
export { AgentChat, type OpenChat } from './agent-chat.ts';
export { Approvals } from './approvals.ts';
export { NotesQuestions } from './notes-questions.ts';
export { Questions } from './questions.ts';
export type { SlashCommand, TalkCommands } from './slash-commands.ts';
export { ModeSwitch } from './mode-switch.ts';
