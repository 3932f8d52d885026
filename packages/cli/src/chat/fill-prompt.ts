// Turns `/server:prompt key=text …` into a message, with the text that the server gives for its prompt.

import type { UserMessage, UserPart } from '@plugboard/agent';
import { err, ok, type Result } from '@plugboard/base';
import { type Host, toText } from '@plugboard/host';
import type { HostEnvironment } from '@plugboard/host/configuration';
import { textArguments } from '../given/text-arguments.ts';
import { promptError } from '../print/primitive-errors.ts';
import { UsageError } from '../usage-error.ts';
import { type Problem, chatProblem } from './problem.ts';
import type { SlashLine } from './slash-line.ts';

export interface FillOptions {
  readonly host: Host;
  readonly environment: HostEnvironment;
  readonly signal: AbortSignal;
}

export async function fillPrompt(
  { name, words }: SlashLine,
  { host, environment, signal }: FillOptions,
): Promise<Result<UserMessage, Problem>> {
  const [server, prompt] = splitAt(name, name.indexOf(':'));
  const given = await textArguments(words).catch((thrown: unknown) => {
    if (thrown instanceof UsageError) return thrown;
    throw thrown;
  });
  if (given instanceof UsageError) return err(chatProblem(given));
  const outcome = await host.prompts.get({ server, prompt }, given, { signal });
  if (outcome.kind !== 'result') {
    return err(chatProblem(promptError(outcome, { server, where: undefined, from: environment })));
  }
  const parts = outcome.messages.flatMap(({ role, parts: said }) =>
    said.map((part): UserPart => {
      if (part.kind === 'image')
        return { kind: 'image', mediaType: part.mimeType, data: part.data };
      const text = toText([part]);
      // A prompt may contain example answers of the model. All of it is one message of the user.
      return { kind: 'text', text: role === 'user' ? text : `The assistant would say: ${text}` };
    }),
  );
  return ok({ kind: 'user', parts });
}

function splitAt(text: string, at: number): readonly [string, string] {
  return [text.slice(0, at), text.slice(at + 1)];
}
