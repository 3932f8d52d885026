// The part of the bridge that runs inside the engine, before the script and in the same realm. It keeps its own references to
// all functions that it uses, so that a script that replaces `JSON.parse` or `Promise.prototype.then` changes only its own
// behaviour. Host functions accept only numbers and strings.

/** Evaluates to a function of the host functions and bounds, which returns what the host calls. */
export const PRELUDE = String.raw`(hostCall, hostQueue, hostLog, hostSleep, hostEnd, boundsText) => {
  'use strict';
  const { parse, stringify } = JSON;
  const { apply, ownKeys } = Reflect;
  const { create, defineProperty, getPrototypeOf } = Object;
  const { isArray } = Array;
  const { then } = Promise.prototype;
  const { slice } = String.prototype;
  const [PromiseClass, ErrorClass, TypeErrorClass, ProxyClass] = [Promise, Error, TypeError, Proxy];
  const asString = String;
  const asNumber = Number;
  const bounds = parse(boundsText);
  const cut = (text, most) => (text.length > most ? apply(slice, text, [0, most]) : text);

  const waiting = create(null);
  const queue = create(null);
  let last = 0;
  let sent = 0;
  let inFlight = 0;

  const send = (id, tool, text) => {
    inFlight += 1;
    sent = id;
    hostCall(id, tool, text);
  };

  const argumentsText = (given) => {
    const text = stringify(given === undefined ? {} : given);
    if (typeof text !== 'string' || text[0] !== '{') {
      throw new TypeErrorClass('a tool takes one object with its arguments');
    }
    if (text.length > bounds.argumentChars) {
      throw new TypeErrorClass('the arguments have more than ' + bounds.argumentChars + ' characters');
    }
    return text;
  };

  const callTool = (tool, given) => {
    // Knows the line of the call, which an error made when the answer comes would not.
    const failure = new ErrorClass('');
    return new PromiseClass((resolve, reject) => {
      const text = argumentsText(given);
      last += 1;
      const id = last;
      waiting[id] = { resolve, reject, failure };
      if (inFlight < bounds.callsInFlight) {
        send(id, tool, text);
        return;
      }
      queue[id] = { tool, text };
      hostQueue(id, tool);
    });
  };

  const answer = (id, ok, text) => {
    const { resolve, reject, failure } = waiting[id];
    delete waiting[id];
    inFlight -= 1;
    if (sent < last) {
      const next = sent + 1;
      const { tool, text: given } = queue[next];
      delete queue[next];
      send(next, tool, given);
    }
    try {
      if (ok) {
        resolve(parse(text));
        return;
      }
      defineProperty(failure, 'name', { value: 'ToolError', configurable: true });
      defineProperty(failure, 'message', { value: text, configurable: true });
      reject(failure);
    } catch (thrown) {
      reject(thrown);
    }
  };

  let lastSleep = 0;
  const sleeping = create(null);
  const sleep = (ms) =>
    new PromiseClass((resolve) => {
      const time = asNumber(ms);
      lastSleep += 1;
      sleeping[lastSleep] = resolve;
      hostSleep(lastSleep, time >= 0 ? time : 0);
    });
  const wake = (id) => {
    const resolve = sleeping[id];
    delete sleeping[id];
    resolve();
  };

  const show = (value) => {
    if (typeof value === 'string') return value;
    try {
      if (value instanceof ErrorClass) return asString(value);
      const text = stringify(value);
      return typeof text === 'string' ? text : asString(value);
    } catch {
      return '[a value that JSON cannot hold]';
    }
  };
  const log = (...values) => {
    let line = '';
    for (let at = 0; at < values.length; at += 1) line += (at === 0 ? '' : ' ') + show(values[at]);
    hostLog(cut(line, bounds.logChars));
  };

  // The names that have most pairs of letters in common with the wanted one.
  const closest = (wanted, keys) => {
    const pairs = create(null);
    for (let at = 0; at < wanted.length - 1; at += 1) pairs[wanted[at] + wanted[at + 1]] = true;
    const score = (key) => {
      let common = 0;
      for (let at = 0; at < key.length - 1; at += 1) if (key[at] + key[at + 1] in pairs) common += 1;
      return (2 * common) / (wanted.length + key.length);
    };
    let names = '';
    const taken = create(null);
    for (let count = 0; count < keys.length && count < bounds.closestNames; count += 1) {
      let best;
      let most = -1;
      for (let at = 0; at < keys.length; at += 1) {
        const own = at in taken ? -1 : score(keys[at]);
        if (own <= most) continue;
        best = at;
        most = own;
      }
      taken[best] = true;
      names += ' ' + cut(keys[best], 100);
    }
    return names === '' ? 'there are none' : 'the closest are:' + names;
  };

  // A wrong name fails at its own line and lists the existing ones. A promise that
  // resolves to one of these looks up "then".
  const named = (kind, table, make) => {
    const made = create(null);
    const get = (key) => (made[key] ??= make(table[key]));
    return new ProxyClass(create(null), {
      __proto__: null,
      get: (target, key) => {
        if (key in table) return get(key);
        if (typeof key !== 'string' || key === 'then' || key === 'toJSON') return undefined;
        const wanted = cut(key, 100);
        throw new TypeErrorClass('there is no ' + kind + ' "' + wanted + '"; ' + closest(wanted, ownKeys(table)));
      },
      has: (target, key) => key in table,
      ownKeys: () => ownKeys(table),
      getOwnPropertyDescriptor: (target, key) =>
        key in table ? { value: get(key), enumerable: true, configurable: true } : undefined,
      set: () => false,
      defineProperty: () => false,
      deleteProperty: () => false,
    });
  };
  const toolsOf = (toolsText) => {
    const servers = create(null);
    const listed = parse(toolsText);
    for (let at = 0; at < listed.length; at += 1) {
      const table = create(null);
      const tools = listed[at][1];
      for (let index = 0; index < tools.length; index += 1) table[tools[index][0]] = tools[index][1];
      servers[listed[at][0]] = table;
    }
    return named('server', servers, (table) =>
      named('tool', table, (tool) => (given) => callTool(tool, given)),
    );
  };

  // A script may look at the stack, which has the functions of this bridge; it gets their names, and none of them.
  ErrorClass.prepareStackTrace = (_, places) => delete getPrototypeOf(places[0]).getFunction;
  new ErrorClass('').stack;
  ErrorClass.prepareStackTrace = undefined;

  // A person approves the code that they see, so none may come out of a text that a tool answers with.
  const noCode = function Function() {
    throw new TypeErrorClass('a script cannot make code from text');
  };
  const maker = { value: noCode };
  const kinds = [function () {}, async function () {}, function* () {}, async function* () {}];
  for (let at = 0; at < kinds.length; at += 1) defineProperty(getPrototypeOf(kinds[at]), 'constructor', maker);
  // For instanceof.
  noCode.prototype = getPrototypeOf(noCode);
  defineProperty(globalThis, 'Function', maker);
  defineProperty(globalThis, 'eval', maker);

  const define = (name, value) => defineProperty(globalThis, name, { value, enumerable: true });
  define('sleep', sleep);
  define('console', { log, info: log, warn: log, error: log, debug: log });

  const read = (thrown, key) => {
    try {
      const value = thrown[key];
      return value === undefined ? '' : asString(value);
    } catch {
      return '';
    }
  };
  const fail = (thrown) => {
    const isObject = typeof thrown === 'object' && thrown !== null;
    const name = isObject ? read(thrown, 'name') : '';
    const message = isObject ? read(thrown, 'message') : show(thrown);
    const stack = isObject ? read(thrown, 'stack') : '';
    hostEnd('failed', cut(name, 100), cut(message, bounds.messageChars), cut(stack, bounds.messageChars));
  };
  const finish = (value) => {
    let text;
    try {
      text = stringify(value);
    } catch (thrown) {
      fail(thrown);
      return;
    }
    if (typeof text !== 'string') hostEnd('done');
    else if (text.length > bounds.resultChars) hostEnd('too-long');
    else hostEnd('done', text);
  };
  const run = (main, toolsText) => {
    define('tools', toolsOf(toolsText));
    apply(then, main(), [finish, fail]);
  };
  return [run, answer, wake];
}`;
