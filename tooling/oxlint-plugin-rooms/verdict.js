// @ts-check
// Decides whether a file may import a specifier or use an ambient name, from rooms.json alone.
// Pure: paths are relative to the folder that holds rooms.json, with forward slashes; reading files
// and syntax trees is left to the rules.

import { posix } from 'node:path';

/**
 * @typedef {object} Package
 * @property {string} name the npm name
 * @property {readonly string[]} imports packages that it may import
 * @property {Readonly<Record<string, readonly string[]>>} [rooms] what each folder, or single file,
 *   of its `src` may import from the others; a package without rooms is one room
 * @property {Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>} [folders] for a room
 *   whose folders have doors of their own: what each of them may import from the others
 * @property {readonly string[] | 'all'} [open] rooms without a door: each of their files may be imported,
 *   so that one can be loaded without the others
 * @property {'free'} [ambient] when its sources may use every ambient thing
 *
 * @typedef {object} Ban
 * @property {readonly string[]} globals `name`, `object.member`, `call()` or `new Name()` (the last
 *   two without arguments)
 * @property {readonly string[]} modules specifiers; a trailing `*` stands for any ending
 * @property {readonly string[]} allowedIn files, or folders with a trailing slash
 * @property {string} instead what to do instead
 *
 * @typedef {object} Rooms
 * @property {Readonly<Record<string, Package>>} packages
 * @property {readonly Ban[]} ambient
 *
 * @typedef {{ readonly kind: 'allowed' } | { readonly kind: 'refused', readonly reason: string }} Verdict
 *
 * @typedef {object} Place where a source file stands
 * @property {string} package
 * @property {string} room
 * @property {string} inside the path within the room; a file that is a room is its own index.ts
 */

/** @type {Verdict} */
const ALLOWED = { kind: 'allowed' };

/**
 * @param {string} reason
 * @returns {Verdict}
 */
const refused = (reason) => ({ kind: 'refused', reason });

/**
 * The room of a source file, or undefined for what the walls do not concern: tests, scripts, examples.
 * A file directly in `src` is a room of its own, called like the file.
 *
 * @param {string} path
 * @returns {Place | undefined}
 */
export function placeOf(path) {
  const match = /^packages\/([^/]+)\/src\/([^/]+)(?:\/(.+))?$/.exec(path);
  if (match === null) return undefined;
  const [, owner = '', first = '', rest] = match;
  if (rest !== undefined) return { package: owner, room: first, inside: rest };
  const [, name] = /^(.+)\.tsx?$/.exec(first) ?? [];
  return name !== undefined
    ? { package: owner, room: name, inside: 'index.ts' }
    : { package: owner, room: first, inside: '' };
}

/**
 * May the file at `path` import `specifier`, be it for a type, a value or at run time?
 *
 * @param {string} path
 * @param {string} specifier
 * @param {Rooms} rooms
 * @returns {Verdict}
 */
export function judgeImport(path, specifier, rooms) {
  const from = placeOf(path);
  if (from === undefined) return ALLOWED;
  const home = rooms.packages[from.package];
  if (home === undefined) return refused(`package '${from.package}' is not named in rooms.json`);
  if (home.rooms !== undefined && home.rooms[from.room] === undefined) {
    return refused(`room '${from.room}' of '${from.package}' is not named in rooms.json`);
  }
  if (specifier.startsWith('.')) return judgeRelative(path, specifier, home);
  return judgePackage(from, specifier, rooms);
}

/**
 * @param {string} path
 * @param {string} specifier
 * @param {Package} home
 * @returns {Verdict}
 */
function judgeRelative(path, specifier, home) {
  const from = placeOf(path);
  const to = placeOf(posix.join(posix.dirname(path), specifier));
  if (from === undefined) return ALLOWED;
  if (to === undefined || to.package !== from.package) {
    return refused(
      `'${specifier}' leaves the sources of '${from.package}'; import a package by name`,
    );
  }
  if (home.rooms === undefined) return ALLOWED;
  if (to.room === from.room) return judgeWithin(from, to, home.folders?.[from.room]);
  const allowed = home.rooms[from.room] ?? [];
  if (!allowed.includes(to.room)) {
    return refused(`room '${from.room}' may not import room '${to.room}'; ${listed(allowed)}`);
  }
  if (to.inside !== 'index.ts' && !isOpen(to, home)) {
    return refused(`room '${to.room}' is entered through its index.ts, not '${specifier}'`);
  }
  return ALLOWED;
}

/**
 * The folders of a room are to each other what rooms are to each other. The files beside them, such as the
 * door of the room, are above all of them.
 *
 * @param {Place} from
 * @param {Place} to
 * @param {Readonly<Record<string, readonly string[]>>} [folders]
 * @returns {Verdict}
 */
function judgeWithin(from, to, folders) {
  const above = folderIn(from);
  const below = folderIn(to);
  if (folders === undefined || above === below) return ALLOWED;
  if (above !== '') {
    const allowed = folders[above];
    if (allowed === undefined) {
      return refused(`folder '${above}' of room '${from.room}' is not named in rooms.json`);
    }
    if (!allowed.includes(below)) {
      const what = below === '' ? `'${to.inside}' of its room` : `folder '${below}'`;
      return refused(`folder '${above}' may not import ${what}; ${listed(allowed)}`);
    }
  }
  return to.inside === `${below}/index.ts`
    ? ALLOWED
    : refused(`folder '${below}' is entered through its index.ts, not '${to.inside}'`);
}

/**
 * @param {Place} place
 * @returns {string} the folder within the room, or nothing for a file beside the folders
 */
export const folderIn = ({ inside }) => inside.split('/').slice(0, -1)[0] ?? '';

/**
 * @param {Place} to
 * @param {Package} home
 */
const isOpen = (to, { open = [] }) =>
  (open === 'all' || open.includes(to.room)) && /\.tsx?$/.test(to.inside);

/**
 * @param {Place} from
 * @param {string} specifier
 * @param {Rooms} rooms
 * @returns {Verdict}
 */
function judgePackage(from, specifier, rooms) {
  const target = Object.entries(rooms.packages).find(
    ([, { name }]) => specifier === name || specifier.startsWith(`${name}/`),
  );
  if (target === undefined) {
    return specifier.startsWith('@plugboard/')
      ? refused(`'${specifier}' is not named in rooms.json`)
      : ALLOWED;
  }
  const [to, { name }] = target;
  const allowed = rooms.packages[from.package]?.imports ?? [];
  if (!allowed.includes(to)) {
    return refused(`package '${from.package}' may not import package '${to}'; ${listed(allowed)}`);
  }
  if (specifier.slice(name.length + 1).includes('/')) {
    return refused(`package '${to}' is entered through its exports, not '${specifier}'`);
  }
  return ALLOWED;
}

/**
 * May the file at `path` import a module that reaches the world outside, such as `node:fs`?
 *
 * @param {string} path
 * @param {string} specifier
 * @param {Rooms} rooms
 * @returns {Verdict}
 */
export function judgeModule(path, specifier, rooms) {
  const ban = bansAt(path, rooms).find(({ modules }) =>
    modules.some((banned) =>
      banned.endsWith('*')
        ? specifier.startsWith(banned.slice(0, -1))
        : specifier === banned || `node:${specifier}` === banned,
    ),
  );
  return ban === undefined ? ALLOWED : refused(onlyFor(specifier, ban));
}

/**
 * May the file at `path` use a global, written as in rooms.json (`process`, `Date.now`, `new Date()`)?
 *
 * @param {string} path
 * @param {string} name
 * @param {Rooms} rooms
 * @returns {Verdict}
 */
export function judgeGlobal(path, name, rooms) {
  const ban = bansAt(path, rooms).find(({ globals }) => globals.includes(name));
  return ban === undefined ? ALLOWED : refused(onlyFor(name, ban));
}

/**
 * @param {string} path
 * @param {Rooms} rooms
 * @returns {readonly Ban[]} those that hold for the file at `path`
 */
function bansAt(path, rooms) {
  const place = placeOf(path);
  if (place === undefined || rooms.packages[place.package]?.ambient === 'free') return [];
  return rooms.ambient.filter(
    ({ allowedIn }) =>
      !allowedIn.some((allowed) =>
        allowed.endsWith('/') ? path.startsWith(allowed) : path === allowed,
      ),
  );
}

/**
 * @param {string} what
 * @param {Ban} ban
 */
const onlyFor = (what, { allowedIn, instead }) =>
  `'${what}' is only for ${allowedIn.join(', ')}; ${instead}`;

/** @param {readonly string[]} allowed */
const listed = (allowed) =>
  allowed.length === 0 ? 'it may import none' : `it may import ${allowed.join(', ')}`;
