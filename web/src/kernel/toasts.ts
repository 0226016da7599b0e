/** The short messages at the top of the page: a store outside of React, so that anything can tell. */
import { COUNT_LIMITS, TIMES } from '@hypercube/contract';

export type ToastKind = 'info' | 'success' | 'warning' | 'error';
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}
export interface Toast {
  readonly id: number;
  readonly kind: ToastKind;
  readonly text: string;
  readonly durationMs: number;
  readonly action: ToastAction | null;
}

type Listener = () => void;

/** A list of at most three; the same text again moves to the end instead of standing twice. */
export class ToastList {
  #toasts: readonly Toast[] = [];
  #nextID = 1;
  readonly #listeners = new Set<Listener>();

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly current = (): readonly Toast[] => this.#toasts;

  add(
    kind: ToastKind,
    text: string,
    durationMs: number,
    action: ToastAction | null = null,
  ): number {
    const toast = { id: this.#nextID++, kind, text, durationMs, action };
    const others = this.#toasts.filter((other) => other.text !== text || other.kind !== kind);
    this.#set([...others, toast].slice(-COUNT_LIMITS.toasts));
    return toast.id;
  }

  remove(id: number): void {
    if (this.#toasts.some((toast) => toast.id === id)) {
      this.#set(this.#toasts.filter((toast) => toast.id !== id));
    }
  }

  clear(): void {
    if (this.#toasts.length > 0) this.#set([]);
  }

  #set(toasts: readonly Toast[]): void {
    this.#toasts = toasts;
    for (const listener of this.#listeners) listener();
  }
}

export const toastList = new ToastList();

/** Failures stay longer: they take longer to read. */
const DURATIONS_MS: Record<ToastKind, number> = {
  info: TIMES.teacherNoticeMs,
  success: 3500,
  warning: 6000,
  error: 8000,
};

/** Shows a message for a while. @returns its id, for taking it away earlier */
export function toast(
  kind: ToastKind,
  text: string,
  durationMs = DURATIONS_MS[kind],
  action: ToastAction | null = null,
): number {
  return toastList.add(kind, text, durationMs, action);
}
