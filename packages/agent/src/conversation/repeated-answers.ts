// Replaces an answer that equals the last one of the same call by a reference to it, if that one is in an earlier message
// in full. Only the messages themselves count, so a reference never points to text that the model cannot read. Pure.

import {
  callKey,
  type Message,
  type ToolAnswer,
  type ToolCall,
  type ToolMessage,
} from './message.ts';

/** For a shorter answer, a reference would save too little. */
const LEAST_CHARACTERS = 500;

/** The same messages, with references in place of repeated answers. */
export function withReferences(messages: readonly Message[]): readonly Message[] {
  const done: Message[] = [];
  for (const message of messages) {
    done.push(message.kind === 'tool' ? referring(done, message) : message);
  }
  return done;
}

/** The next answers after these messages, with references in place of repeated ones. */
export function referring(before: readonly Message[], { answers }: ToolMessage): ToolMessage {
  const calls = callsById(before.at(-1));
  const isWorthIt = answers.map((answer) => isRepeatable(answer) && calls.has(answer.id));
  if (!isWorthIt.includes(true)) return { kind: 'tool', answers };
  const earlier = answersBefore(before, new Set(answers.map(({ tool }) => tool)));
  const shortened = answers.map((answer, index) => {
    const call = calls.get(answer.id);
    const last = call && earlier.lastOf(call);
    const isSame = last !== undefined && last.id !== answer.id && isEqual(last, answer);
    const kept = isWorthIt[index] === true && isSame ? referenceTo(last, answer) : answer;
    earlier.add(call, kept);
    return kept;
  });
  return { kind: 'tool', answers: shortened };
}

/** The same messages, with every answer in full. */
export function withoutReferences(messages: readonly Message[]): readonly Message[] {
  const full = new Map<string, ToolAnswer>();
  return messages.map((message) => {
    if (message.kind !== 'tool') return message;
    const answers = message.answers.map((answer) => {
      const { repeats, ...own } = answer;
      const meant = repeats === undefined ? answer : full.get(repeats);
      const whole = { ...own, parts: meant?.parts ?? LOST };
      full.set(own.id, whole);
      return whole;
    });
    return { ...message, answers };
  });
}

/** The same messages, with a note in place of each reference to a missing answer. */
export function withoutLostReferences(messages: readonly Message[]): readonly Message[] {
  const above = new Set<string>();
  return messages.map((message) => {
    if (message.kind !== 'tool') return message;
    const answers = message.answers.map(({ repeats, ...answer }): ToolAnswer => {
      above.add(answer.id);
      if (repeats === undefined) return answer;
      return above.has(repeats) ? { ...answer, repeats } : { ...answer, parts: LOST };
    });
    return { ...message, answers };
  });
}

const LOST: ToolAnswer['parts'] = [
  { kind: 'text', text: '[This result is not kept any more. Make the call again if it matters.]' },
];

/** Errors are short and say what to do; a picture works best in the latest message. */
function isRepeatable({ isError, parts, repeats }: ToolAnswer): boolean {
  if (isError || repeats !== undefined) return false;
  return parts.every(({ kind }) => kind === 'text') && charactersOf(parts) >= LEAST_CHARACTERS;
}

function charactersOf(parts: ToolAnswer['parts']): number {
  return parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0);
}

function isEqual(left: ToolAnswer, right: ToolAnswer): boolean {
  if (left.isError !== right.isError || left.parts.length !== right.parts.length) return false;
  return left.parts.every((part, index) => {
    const other = right.parts[index];
    return part.kind === 'text' && other?.kind === 'text' && part.text === other.text;
  });
}

function referenceTo({ id, parts }: ToolAnswer, answer: ToolAnswer): ToolAnswer {
  const text = `[The call was made. Its result is the same, character for character, as that of the last call of ${answer.tool} with these arguments above (call ${id}, ${charactersOf(parts)} characters).]`;
  return { ...answer, parts: [{ kind: 'text', text }], repeats: id };
}

interface EarlierAnswers {
  /** The last full answer to the same call; `undefined` if its id was reused. */
  readonly lastOf: (call: ToolCall) => ToolAnswer | undefined;
  readonly add: (call: ToolCall | undefined, answer: ToolAnswer) => void;
}

/** Only the answers of these tools, since arguments can be long. */
function answersBefore(messages: readonly Message[], tools: ReadonlySet<string>): EarlierAnswers {
  const last = new Map<string, ToolAnswer>();
  const byId = new Map<string, ToolAnswer>();
  const add: EarlierAnswers['add'] = (call, answer) => {
    byId.set(answer.id, answer);
    const isFull = answer.repeats === undefined;
    if (isFull && call !== undefined && tools.has(call.tool)) last.set(callKey(call), answer);
  };
  messages.forEach((message, index) => {
    if (message.kind !== 'tool') return;
    const calls = callsById(messages[index - 1]);
    for (const answer of message.answers) add(calls.get(answer.id), answer);
  });
  const lastOf = (call: ToolCall): ToolAnswer | undefined => {
    const found = last.get(callKey(call));
    return found !== undefined && byId.get(found.id) === found ? found : undefined;
  };
  return { lastOf, add };
}

function callsById(message: Message | undefined): ReadonlyMap<string, ToolCall> {
  const parts = message?.kind === 'assistant' ? message.parts : [];
  return new Map(parts.flatMap((part) => (part.kind === 'call' ? [[part.id, part]] : [])));
}
