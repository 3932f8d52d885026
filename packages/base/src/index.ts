export { type BackoffPolicy, backoffDelay, type Random } from './backoff.ts';
export { BriefMap } from './brief-map.ts';
export { atTurnEnd, type Clock, type Instant, stayAlive, systemClock } from './clock.ts';
export {
  type AnswerIssue,
  checkAnswer,
  demandOf,
  type FieldProblem,
  fieldProblem,
  FORMAT_WORDS,
} from './check-form.ts';
export { CodedError, codeOf, messageOf } from './coded-error.ts';
export { cutPoint } from './cut-point.ts';
export { definedFields } from './defined-fields.ts';
export { DepthMeter } from './depth-meter.ts';
export { Emitter, type Listener } from './emitter.ts';
export {
  canonicalJson,
  isObject,
  type Json,
  type JsonLimits,
  type JsonObject,
  type JsonProblem,
  parseJson,
  pointerKeys,
  pointerTo,
} from './json.ts';
export type { FormField, InputField, Option, TextFormat } from './form-field.ts';
export { groupBy } from './group-by.ts';
export { isLoopback } from './is-loopback.ts';
export { isUrl } from './is-url.ts';
export { endpointProblems, parseKind } from './kind-settings.ts';
export { KeyedMutex } from './keyed-mutex.ts';
export { type LogFields, type Logger, type LogLevel, silentLogger } from './logger.ts';
export { type CommandPattern, commandPattern, plainCommand, runsCommand } from './plain-command.ts';
export { parseTyped, readTyped } from './read-typed.ts';
export { abortSignalOf, type CancelSignal, RequestSignal } from './request-signal.ts';
export { err, type MaybePromise, ok, type Result } from './result.ts';
export {
  type Answered,
  type Deviation,
  deviations,
  deviationWords,
  savedOutcome,
  type Expectation,
  readExpectation,
  readSavedCall,
  readSavedCalls,
  type SavedCall,
  type SavedCallProblem,
  type SavedOutcome,
  type SavedRequest,
  type ValueCheck,
  writeSavedCall,
} from './saved-call.ts';
export { Scope } from './scope.ts';
export { shortageFix } from './shortage-fix.ts';
export { Seldom } from './seldom.ts';
export { Semaphore } from './semaphore.ts';
export {
  abortable,
  type Deadline,
  deadline,
  DeadlineExceeded,
  delay,
  never,
  shared,
} from './signal.ts';
export { looksLikeToken, soundsSecret } from './secret-guess.ts';
export { SingleFlight } from './single-flight.ts';
export {
  answerCall,
  type Progress,
  progressOf,
  type ToolAnswer,
  toolFailure,
  toolResult,
  unknownArgument,
} from './mcp-tool.ts';
export { tellingLines } from './telling-lines.ts';
export { decodeUtf8 } from './utf8.ts';
export { matchesWildcard } from './wildcard.ts';
export { withoutInflection, wordsIn } from './words.ts';
