export {
  type AnswerIssue,
  checkAnswer,
  type FieldProblem,
  fieldProblem,
  type FormField,
  type Option,
  type TextFormat,
} from '@plugboard/base';
export {
  type AskedForm,
  type AskedPage,
  type DeclinedQuestion,
  type DeclineReason,
  type Elicit,
  type ElicitationAnswer,
  type ElicitationRequest,
  nobodyToAsk,
} from './elicitation.ts';
export { AskedServers, type WhileAsked } from './asked-servers.ts';
export { type AnsweredQuestion, QuestionDesk } from './question-desk.ts';
export { type AskedQuestion, readQuestion } from './read-question.ts';
export type { PageWarning } from './read-page.ts';
export { type RootFolder, Roots } from './roots.ts';
export { DEFAULT_SAMPLING_LIMITS } from './sampling-budget.ts';
export { SamplingDesk } from './sampling-desk.ts';
export { shownLine } from './shown-text.ts';
export type {
  SampledOutcome,
  SampleOptions,
  SamplingApproval,
  SamplingApprovalRequest,
  SamplingEvent,
  SamplingOutcome,
  SamplingPort,
  SamplingReview,
  SamplingReviewed,
} from './sampling-port.ts';
