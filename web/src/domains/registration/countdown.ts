/** Seconds until something can be done again. */
import { useCallback, useEffect, useState } from 'react';

/** @returns the seconds that are left, 0 when none are, and what begins to count */
export function useCountdown(): readonly [seconds: number, begin: (seconds: number) => void] {
  const [endMs, setEndMs] = useState(0);
  const [nowMs, setNowMs] = useState(0);
  useEffect(() => {
    if (endMs === 0) return;
    const timer = setInterval(() => {
      setNowMs(performance.now());
      if (performance.now() >= endMs) setEndMs(0);
    }, 250);
    return () => clearInterval(timer);
  }, [endMs]);
  const begin = useCallback((seconds: number) => {
    const now = performance.now();
    setNowMs(now);
    setEndMs(now + seconds * 1000);
  }, []);
  return [endMs === 0 ? 0 : Math.max(0, Math.ceil((endMs - nowMs) / 1000)), begin];
}
