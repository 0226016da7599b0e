/** How long until something can be asked for again. */
import { useEffect, useState } from 'react';

/** Seconds that are left, counting down; `start` begins anew. */
export function useResend(): { readonly seconds: number; readonly start: (seconds: number) => void } {
  const [until, setUntil] = useState(0);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (until === 0) return;
    const show = (): void => {
      const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      setSeconds(left);
      if (left === 0) clearInterval(timer);
    };
    const timer = setInterval(show, 1000);
    show();
    return () => clearInterval(timer);
  }, [until]);
  return { seconds, start: (length) => setUntil(Date.now() + length * 1000) };
}
