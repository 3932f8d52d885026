// Finds the language of a file by its name, or by its first line if the name does not tell.

import { type Language, type LanguageName, LANGUAGES } from './table.ts';

const BY_NAME: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.map((language) => [language.name, language]),
);
const BY_EXTENSION = indexBy(({ extensions }) => extensions);
const BY_FILE_NAME = indexBy(({ fileNames = [] }) => fileNames);
const BY_PROGRAM = indexBy(({ programs = [] }) => programs);

/** `#!/usr/bin/env -S deno run`, `#!/bin/sh`: the program is the second group. */
const FIRST_LINE =
  /^\uFEFF?#!\s*(?:\S*\/)?(?:env\s+(?:-\S+\s+)*(?:\w+=\S*\s+)*)?(?:\S*\/)?([A-Za-z][\w-]*?)(?:[\d.]*)(?:\s|$)/;

/** The name of the language in the table; `undefined` if it is unknown. */
export function languageOf(path: string, firstLine?: string): LanguageName | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const known = BY_FILE_NAME.get(name) ?? byExtension(name) ?? byFamily(name);
  if (known !== undefined || firstLine === undefined) return known?.name;
  const program = FIRST_LINE.exec(firstLine)?.[1];
  return program === undefined ? undefined : BY_PROGRAM.get(program)?.name;
}

/** The name in the table for what people call a language: its name, a file extension, or a program. */
export function languageCalled(word: string): string | undefined {
  const plain = word.trim().toLowerCase().replace(/^\./, '');
  return (BY_NAME.get(plain) ?? BY_EXTENSION.get(plain) ?? BY_PROGRAM.get(plain))?.name;
}

export function languageNamed(name: string): Language | undefined {
  return BY_NAME.get(name);
}

function byExtension(name: string): Language | undefined {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : BY_EXTENSION.get(name.slice(dot + 1).toLowerCase());
}

/** The first part tells the language of `Dockerfile.dev` and `Makefile.am`. */
function byFamily(name: string): Language | undefined {
  const dot = name.indexOf('.');
  return dot > 0 ? BY_FILE_NAME.get(name.slice(0, dot)) : undefined;
}

function indexBy(keys: (language: Language) => readonly string[]): ReadonlyMap<string, Language> {
  return new Map(LANGUAGES.flatMap((language) => keys(language).map((key) => [key, language])));
}
