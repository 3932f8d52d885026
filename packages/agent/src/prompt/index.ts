export {
  delegatePrompt,
  type PromptFacts,
  type PromptNotes,
  type PromptPart,
  systemParts,
  systemPrompt,
} from './system-prompt.ts';
