// The card of a server's question: a form to fill in, or a page to visit. The answer goes to that server and nowhere else.

import { useSignal } from '@preact/signals';
import { isObject } from '@plugboard/base';
import type { QuestionView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Answer } from '../feed/request.ts';
import { FormStore } from '../parts/form/form-store.ts';
import { SchemaForm } from '../parts/form/schema-form.tsx';
import { counted } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { announce } from '../ui/announce.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { focusSoon } from '../ui/focus.ts';
import { Failure } from '../ui/failure.tsx';
import { Icon } from '../ui/icon.tsx';
import { useKeys } from '../ui/keys.ts';
import { type AnswerHandler, CardHead } from './card-head.tsx';

interface QuestionCardProps {
  readonly question: QuestionView;
  readonly answer: AnswerHandler;
  readonly isChosen: boolean;
  readonly isSeen: boolean;
  readonly response: Answer<unknown> | undefined;
}

const WARNINGS: Readonly<Record<QuestionView['warnings'][number], string>> = {
  'asks-secret': 'It seems to ask for a password or a token. Servers must not do that in a form.',
  punycode: 'The name of its host has letters that may look like those of another host.',
  'ip-address': 'Its host is a number, which does not show who it belongs to.',
  'this-machine': 'It leads to a program on this machine.',
};

export function QuestionCard(props: QuestionCardProps): JSX.Element {
  const { question, response } = props;
  return (
    <>
      <CardHead waiting={question}>
        <Text of={question.server} />{' '}
        {question.kind === 'form' ? 'asks' : 'wants you to visit a page'}
      </CardHead>
      <p class="prose">
        <Text of={question.message} />
      </p>
      {question.warnings.map((warning) => (
        <p key={warning} class="signed-text tone-warn">
          <Icon name="alert" />
          {WARNINGS[warning]}
        </p>
      ))}
      {question.kind === 'form' ? <Form {...props} /> : <Page {...props} />}
      <Failure of={response} class="tone-bad" />
    </>
  );
}

function Form({ question, answer, isChosen, isSeen }: QuestionCardProps): JSX.Element {
  const form = useMemo(() => new FormStore(question.schema), [question.id]);
  const send = (): void => {
    const problems = form.check();
    const [first] = problems;
    const { value, textProblem } = form.state.peek();
    if (first === undefined && textProblem === undefined) {
      void answer({ kind: 'accept', content: isObject(value) ? value : {} });
      return;
    }
    announce(`${counted(problems.length, 'problem')} in the form.`);
    if (first !== undefined) focusSoon(form.elementId(first.id));
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <SchemaForm form={form} label="Answer" />
      <div class="waiting-actions">
        <button type="submit" class="button button-main" disabled={!isSeen}>
          <Icon name="check" />
          Send
          <kbd aria-hidden="true">Ctrl ⏎</kbd>
        </button>
        <Refusals answer={answer} />
      </div>
      {isChosen && <QuestionKeys answer={answer} accept={send} word="Send" keys="mod+Enter" />}
    </form>
  );
}

function Page({ question, answer, isChosen, isSeen }: QuestionCardProps): JSX.Element {
  const isOpened = useSignal(false);
  const url = question.url ?? '';
  const accept = (): void => void answer({ kind: 'accept' });
  return (
    <>
      <p class="waiting-page">
        <code>
          <Text of={url} />
        </code>
        <CopyButton text={url} what="address" />
      </p>
      <div class="waiting-actions">
        <a
          class="button button-main"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          onClick={() => {
            isOpened.value = true;
          }}
        >
          <Icon name="forward" />
          Open the page of {hostOf(url)}
        </a>
        <button type="button" class="button" disabled={!isSeen} onClick={accept}>
          <Icon name="check" />
          {isOpened.value ? 'I have finished there' : 'I have been there'}
          <kbd aria-hidden="true">a</kbd>
        </button>
        <Refusals answer={answer} />
      </div>
      {isChosen && <QuestionKeys answer={answer} accept={accept} word="I have finished" keys="a" />}
    </>
  );
}

function Refusals({ answer }: { readonly answer: AnswerHandler }): JSX.Element {
  return (
    <>
      <button type="button" class="button" onClick={() => void answer({ kind: 'decline' })}>
        <Icon name="blocked" />
        Decline
        <kbd aria-hidden="true">d</kbd>
      </button>
      <button type="button" class="button" onClick={() => void answer({ kind: 'cancel' })}>
        <Icon name="cross" />
        Cancel
      </button>
    </>
  );
}

interface QuestionKeysProps {
  readonly answer: AnswerHandler;
  readonly accept: () => void;
  readonly word: string;
  readonly keys: string;
}

function QuestionKeys({ answer, accept, word, keys }: QuestionKeysProps): null {
  useKeys('The chosen question', [
    { keys, what: word, run: accept },
    { keys: 'd', what: 'Decline', run: () => void answer({ kind: 'decline' }) },
  ]);
  return null;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
