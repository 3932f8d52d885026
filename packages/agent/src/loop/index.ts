export { Conversation, type ConversationKeeper, type ConversationOptions } from './conversation.ts';
export { runTurn } from './run-turn.ts';
export { type Budget, Spending, type SpendingTotals } from './spending.ts';
export type { TurnLimits, TurnOptions } from './turn-options.ts';
