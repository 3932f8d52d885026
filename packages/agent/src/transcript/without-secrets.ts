// Removes text that looks like a secret from a message before it is stored. Pictures and data for the provider stay
// unchanged, since a change would break them.

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
      // The result for an object is an object.
      return { ...part, arguments: hideSecretsIn(part.arguments) as JsonObject };
    case 'reasoning': {
      const text = hideSecrets(part.text);
      // The provider signed the original text.
      return text === part.text ? part : { ...part, text, provider: undefined };
    }
    case 'text':
    case 'attachment':
      return { ...part, text: hideSecrets(part.text) };
    default:
      return part;
  }
}
