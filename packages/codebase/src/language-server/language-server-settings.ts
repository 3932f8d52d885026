// The setting that names language servers, checked. A mistake is a sentence.

import { err, isObject, ok, type Result } from '@plugboard/base';
import { languageCalled } from '../chunk/index.ts';

/** Languages as the chunker names them, each with a command and its arguments. */
export type LanguageServerSettings = Readonly<Record<string, readonly string[]>>;

/** Nothing given is none. */
export function parseLanguageServers(
  given: unknown,
): Result<LanguageServerSettings, readonly string[]> {
  if (given === undefined) return ok({});
  if (!isObject(given)) return err(['languageServers must be an object of commands by language']);
  const read = Object.entries(given).map(([name, command]) => ({
    language: languageCalled(name),
    name,
    command: isCommand(command) ? command : undefined,
  }));
  const problems = read.flatMap(({ language, name, command }) => [
    ...(language === undefined ? [`languageServers has no language ${JSON.stringify(name)}`] : []),
    ...(command === undefined
      ? [`languageServers.${name} must be a list: a command and its arguments`]
      : []),
  ]);
  if (problems.length > 0) return err(problems);
  return ok(Object.fromEntries(read.map((one) => [one.language ?? '', one.command ?? []])));
}

function isCommand(value: unknown): value is readonly string[] {
  const isList = Array.isArray(value) && value.length > 0;
  return isList && value.every((word) => typeof word === 'string' && word !== '');
}
