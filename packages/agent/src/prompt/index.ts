export {
  delegatePrompt,
  type PromptFacts,
  type PromptNotes,
  type PromptPart,
  type ServerInstructions,
  systemParts,
  systemPrompt,
} from './system-prompt.ts';
