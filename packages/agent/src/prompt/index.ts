export {
  delegatePrompt,
  type PromptFacts,
  type ServerInstructions,
  systemPrompt,
} from './system-prompt.ts';
