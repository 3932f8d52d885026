export { type ChatEnd, ChatSession } from './chat-session.ts';
export { ScreenStore } from './screen-store.ts';
