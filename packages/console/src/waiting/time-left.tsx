// The time left to answer: shown by the minute, and announced once before it is over.

import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useConsole } from '../store/context.ts';
import { announce } from '../ui/announce.tsx';
import { MINUTE_MS, timeLeft, warningOf } from './words.ts';

/** Warnings that are due within this time are announced together. */
const TOGETHER_MS = 2000;
/** The maximum delay of a browser timer. */
const LONGEST_MS = 2 ** 31 - 1;

export function TimeLeft({ until }: { readonly until: number }): JSX.Element {
  const now = useSignal(Date.now());
  const left = until - now.value;
  useEffect(() => {
    if (left < MINUTE_MS) return undefined;
    const untilNext = Math.min((left % MINUTE_MS) + 1, LONGEST_MS);
    const timer = setTimeout(() => {
      now.value = Date.now();
    }, untilNext);
    return () => clearTimeout(timer);
  }, [left]);
  return <span class={left < MINUTE_MS ? 'tone-warn' : ''}>{timeLeft(left)}</span>;
}

/** Announces a warning a minute before the end, unless the question itself was announced later than that. */
export function useWarnings(): void {
  const { store } = useConsole();
  const warned = useRef<ReadonlySet<string>>(new Set());
  useSignalEffect(() => {
    const waiting = store.waiting.value;
    const soon = waiting.filter(({ until }) => until - Date.now() <= MINUTE_MS);
    const known = waiting.filter(({ id }) => warned.current.has(id));
    warned.current = new Set([...known, ...soon].map(({ id }) => id));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      const left = waiting.filter(({ id }) => !warned.current.has(id));
      const first = Math.min(...left.map(({ until }) => until)) - Date.now() - MINUTE_MS;
      if (left.length > 0) timer = setTimeout(warn, Math.min(first, LONGEST_MS));
    };
    const warn = (): void => {
      const soonest = Date.now() + MINUTE_MS + TOGETHER_MS;
      const ending = waiting.filter(({ id, until }) => until <= soonest && !warned.current.has(id));
      warned.current = new Set([...warned.current, ...ending.map(({ id }) => id)]);
      if (ending.length > 0) announce(warningOf(ending));
      wait();
    };
    wait();
    return () => clearTimeout(timer);
  });
}
