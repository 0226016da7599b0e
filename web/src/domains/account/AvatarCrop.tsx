/** Choosing the part of a picture that becomes one's own: by dragging, by sliders, by keys. */
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { WHOLE, ZOOM_MAX, bounded, moved, placed, shown, type Crop } from './crop.ts';

/** Side of the window on the page, and of the picture that is sent, in pixels. */
const WINDOW = 240;
const SENT = 512;
const KEY_STEP = 8;

/** The chosen part as a file. @throws when the browser cannot make one */
async function cut(picture: HTMLImageElement, crop: Crop): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = SENT;
  canvas.height = SENT;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  const size = { width: picture.naturalWidth, height: picture.naturalHeight };
  const { left, top, side } = shown(size, crop);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, left, top, side, side, 0, 0, SENT, SENT);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (blob === null) throw new Error('no picture');
  return new File([blob], 'avatar.png', { type: 'image/png' });
}

export function AvatarCrop(props: {
  readonly file: File;
  readonly isBusy: boolean;
  readonly onCut: (file: File) => void;
  /** The file is no picture. */
  readonly onUnreadable: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.account;
  const [address, setAddress] = useState<string | null>(null);
  const [crop, setCrop] = useState(WHOLE);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const picture = useRef<HTMLImageElement>(null);
  const last = useRef<{ x: number; y: number } | null>(null);
  const { file } = props;
  useEffect(() => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') setAddress(reader.result);
    });
    reader.readAsDataURL(file);
    return () => reader.abort();
  }, [file]);

  const move = (dx: number, dy: number): void => {
    if (size !== null) setCrop((before) => moved(size, before, WINDOW, dx, dy));
  };
  const zoom = (by: number): void =>
    setCrop((before) => bounded({ ...before, zoom: before.zoom + by }));
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move(-KEY_STEP, 0),
    ArrowRight: () => move(KEY_STEP, 0),
    ArrowUp: () => move(0, -KEY_STEP),
    ArrowDown: () => move(0, KEY_STEP),
    '+': () => zoom(0.1),
    '=': () => zoom(0.1),
    '-': () => zoom(-0.1),
  };
  const onKey = (event: KeyboardEvent): void => {
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const layout = size === null ? null : placed(size, crop, WINDOW);
  const slider = (label: string, value: number, min: number, max: number, name: keyof Crop) => (
    <label className="crop-slider">
      <span>{label}</span>
      <input
        type="range"
        min={min}
        max={max}
        step={0.01}
        value={value}
        onChange={(event) => setCrop(bounded({ ...crop, [name]: Number(event.target.value) }))}
      />
    </label>
  );
  return (
    <Dialog title={words.cropTitle} onClose={props.onClose}>
      <p className="muted">{words.cropLead}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it is an application of its own: there is no element that is moved in two directions */}
      <div
        className="crop-window"
        style={{ width: WINDOW, height: WINDOW }}
        role="application"
        aria-label={words.cropArea}
        // oxlint-disable-next-line no-noninteractive-tabindex -- an application takes the keys itself
        tabIndex={0}
        onKeyDown={onKey}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          last.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={(event) => {
          if (last.current === null) return;
          move(event.clientX - last.current.x, event.clientY - last.current.y);
          last.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerUp={() => {
          last.current = null;
        }}
        onPointerCancel={() => {
          last.current = null;
        }}
      >
        {address === null ? null : (
          <img
            ref={picture}
            src={address}
            alt=""
            draggable={false}
            style={layout ?? { visibility: 'hidden' }}
            onLoad={(event) => {
              const { naturalWidth: width, naturalHeight: height } = event.currentTarget;
              if (width > 0 && height > 0) setSize({ width, height });
              else props.onUnreadable();
            }}
            onError={props.onUnreadable}
          />
        )}
      </div>
      {slider(words.cropZoom, crop.zoom, 1, ZOOM_MAX, 'zoom')}
      {slider(words.cropX, crop.x, -1, 1, 'x')}
      {slider(words.cropY, crop.y, -1, 1, 'y')}
      <div className="dialog-actions">
        <Button onClick={props.onClose}>{messages.common.cancel}</Button>
        <Button
          look="primary"
          isBusy={props.isBusy || size === null}
          onClick={() => {
            if (picture.current !== null)
              cut(picture.current, crop).then(props.onCut, props.onUnreadable);
          }}
        >
          {words.cropSave}
        </Button>
      </div>
    </Dialog>
  );
}
