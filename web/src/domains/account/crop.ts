/** Where a picture lies below a square window, and what the window shows of it. */

export interface Crop {
  /** 1: the picture just fills the window. */
  readonly zoom: number;
  /** −1 to 1: as far left or right, up or down, as the picture goes. */
  readonly x: number;
  readonly y: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}

export const WHOLE: Crop = { zoom: 1, x: 0, y: 0 };
export const ZOOM_MAX = 4;

const within = (value: number, limit: number): number => Math.min(limit, Math.max(-limit, value));

/** A crop inside its bounds: the window never shows what is beside the picture. */
export const bounded = ({ zoom, x, y }: Crop): Crop => ({
  zoom: Math.min(ZOOM_MAX, Math.max(1, zoom)),
  x: within(x, 1),
  y: within(y, 1),
});

/** How the picture is laid below a window of a side: its size, and its corner from the window's. */
export function placed(picture: Size, crop: Crop, side: number) {
  const scale = (side / Math.min(picture.width, picture.height)) * crop.zoom;
  const width = picture.width * scale;
  const height = picture.height * scale;
  const left = ((width - side) / 2) * (crop.x - 1);
  const top = ((height - side) / 2) * (crop.y - 1);
  return { width, height, left, top };
}

/** The crop after the picture was moved below the window, by pixels of the page. */
export function moved(picture: Size, crop: Crop, side: number, dx: number, dy: number): Crop {
  const { width, height } = placed(picture, crop, side);
  const step = (distance: number, length: number): number =>
    length - side < 1 ? 0 : (distance * 2) / (length - side);
  return bounded({ ...crop, x: crop.x + step(dx, width), y: crop.y + step(dy, height) });
}

/** The square of the picture that the window shows, in the picture's own pixels. */
export function shown(picture: Size, crop: Crop) {
  const side = Math.min(picture.width, picture.height) / crop.zoom;
  return {
    side,
    left: ((picture.width - side) / 2) * (1 - crop.x),
    top: ((picture.height - side) / 2) * (1 - crop.y),
  };
}
