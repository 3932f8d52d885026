// Parses the setting that names language servers. Each mistake is described by a sentence. Pure.

import { err, isObject, ok, type Result } from '@plugboard/base';
import { languageCalled } from '../chunk/index.ts';

/** A command with its arguments for each language, as the table of languages names it. */
export type LanguageServerSettings = Readonly<Record<string, readonly string[]>>;

/** `undefined` means no language servers. */
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
