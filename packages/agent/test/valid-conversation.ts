// The requirements of every provider on a conversation: it begins with the user, each call is answered once by the next
// message, in order, and no message is empty.

import { type Message } from '../src/conversation/index.ts';

export function problemsOf(messages: readonly Message[]): readonly string[] {
  const problems: string[] = [];
  if (messages.length > 0 && messages[0]?.kind !== 'user')
    problems.push('does not begin with the user');
  messages.forEach((message, index) => {
    const before = messages[index - 1];
    const asked = before?.kind === 'assistant' ? idsOf(before) : [];
    if (message.kind === 'tool') {
      const answered = message.answers.map(({ id }) => id);
      if (asked.length === 0) problems.push(`${index} answers nothing`);
      else if (answered.join() !== asked.join())
        problems.push(`${index} answers ${answered.join()}`);
    } else {
      if (asked.length > 0) problems.push(`${index - 1} is not answered`);
      const hasWords = message.parts.every(
        (part) => part.kind !== 'text' || part.text.trim() !== '',
      );
      if (!hasWords) problems.push(`${index} has an empty text`);
      if (message.parts.length === 0) problems.push(`${index} is empty`);
    }
  });
  const last = messages.at(-1);
  if (last?.kind === 'assistant' && idsOf(last).length > 0)
    problems.push('the last is not answered');
  return problems;
}

function idsOf(message: Message & { kind: 'assistant' }): readonly string[] {
  return message.parts.flatMap((part) => (part.kind === 'call' ? part.id : []));
}
