/** What a browser calls itself, as far as people recognise it. */

/** Name → its sign; the first that fits holds, since most browsers also call themselves others. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['WeChat', /\bMicroMessenger\//],
  ['QQ Browser', /\bM?QQBrowser\//],
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chromium', /\b(?:Chromium|HeadlessChrome)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
  ['curl', /^curl\//],
];

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['HarmonyOS', /\b(?:HarmonyOS|OpenHarmony)\b/],
  ['Android', /\bAndroid\b/],
  ['iPadOS', /\biPad\b/],
  ['iOS', /\b(?:iPhone|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
];

const nameIn = (names: typeof BROWSERS, text: string): string =>
  names.find(([, sign]) => sign.test(text))?.[0] ?? '';

/** Browser and system by their names; empty where the text tells none that we know. */
export const readUserAgent = (
  userAgent: string | null,
): { readonly Browser: string; readonly System: string } => ({
  Browser: nameIn(BROWSERS, userAgent ?? ''),
  System: nameIn(SYSTEMS, userAgent ?? ''),
});
