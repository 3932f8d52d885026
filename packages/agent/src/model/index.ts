export {
  chooseModel,
  type ChoiceProblem,
  type ChosenModel,
  type ModelChoice,
  type ModelSettings,
  type ModelWish,
  type ProviderSettings,
  type Way,
  ways,
} from './choose-model.ts';
export { createModel, type ModelPorts } from './create-model.ts';
export { knownModels, type ModelFacts, PRICES_OF } from './known-models.ts';
export type { Patience } from './patience.ts';
