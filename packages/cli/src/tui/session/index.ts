export { ChatSession } from './chat-session.ts';
export { ScreenStore } from './screen-store.ts';
