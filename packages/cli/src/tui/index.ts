// The door of the room: a chat on a terminal. The first screen and the prompt are printed as plain text, and keys work from
// then on, while the drawing library is loaded.

export { openChat } from './open-chat.ts';
