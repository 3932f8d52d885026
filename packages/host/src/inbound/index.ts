export { type AnswerIssue, checkAnswer, type FieldProblem, fieldProblem } from './check-answer.ts';
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
export type { FormField, Option, TextFormat } from './form.ts';
export { Inbound } from './inbound.ts';
export type { PageWarning } from './read-page.ts';
