// A message as it is kept: without what looks like a secret. Pictures and what a provider wants back are left as they
// are: both break when a piece of them is missing.

import type { JsonObject } from '@plugboard/base';
import type { AssistantPart, Message, UserPart } from '../conversation/index.ts';
import { hideSecrets, hideSecretsIn } from './hide-secrets.ts';

export function withoutSecrets(message: Message): Message {
  switch (message.kind) {
    case 'user':
      return { ...message, parts: message.parts.map((part) => withoutSecret(part)) };
    case 'assistant':
      return { ...message, parts: message.parts.map((part) => withoutSecret(part)) };
    case 'tool':
      return {
        ...message,
        answers: message.answers.map((answer) => ({
          ...answer,
          parts: answer.parts.map((part) => withoutSecret(part)),
        })),
      };
    default:
      return message satisfies never;
  }
}

function withoutSecret<Part extends UserPart | AssistantPart>(part: Part): Part {
  switch (part.kind) {
    case 'image':
      return part;
    case 'call':
      // Of an object comes an object.
      return { ...part, arguments: hideSecretsIn(part.arguments) as JsonObject };
    case 'reasoning': {
      const text = hideSecrets(part.text);
      // A provider has signed the text as it was.
      return text === part.text ? part : { ...part, text, provider: undefined };
    }
    case 'text':
    case 'attachment':
      return { ...part, text: hideSecrets(part.text) };
    default:
      return part;
  }
}
