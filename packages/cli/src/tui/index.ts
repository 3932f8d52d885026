// The door of the room: a chat on a terminal. The first screen and the prompt are plain text, and keys count from then
// on; the library that draws is loaded behind them.

export { openChat } from './open-chat.ts';
