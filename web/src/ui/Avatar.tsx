/** The picture of a person, or the first sign of the name where there is none. */
import { useState, type ReactNode } from 'react';
import './avatar.css';

export function Avatar({
  name,
  path,
  size = 30,
}: {
  readonly name: string;
  readonly path: string | null;
  /** Side in pixels. */
  readonly size?: number;
}): ReactNode {
  const [failed, setFailed] = useState<string | null>(null);
  const style = { width: size, height: size, fontSize: Math.round(size * 0.43) };
  // The name stands beside it wherever it is shown.
  return path === null || path === failed ? (
    <span className="avatar" style={style} aria-hidden="true">
      {Array.from(name)[0]?.toUpperCase()}
    </span>
  ) : (
    <img
      className="avatar"
      style={style}
      src={path}
      alt=""
      width={size}
      height={size}
      onError={() => setFailed(path)}
    />
  );
}
