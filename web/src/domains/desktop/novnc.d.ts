/** The part of noVNC that we use; its package brings no types of its own. */
declare module '@novnc/novnc' {
  interface RfbEvents {
    connect: CustomEvent<Record<string, never>>;
    disconnect: CustomEvent<{ readonly clean: boolean }>;
    securityfailure: CustomEvent<{ readonly status: number }>;
    clipboard: CustomEvent<{ readonly text: string }>;
  }
  export default class RFB {
    constructor(
      target: Element,
      channel: WebSocket,
      options?: { readonly shared?: boolean; readonly wsProtocols?: readonly string[] },
    );
    scaleViewport: boolean;
    resizeSession: boolean;
    clipViewport: boolean;
    showDotCursor: boolean;
    focusOnClick: boolean;
    background: string;
    qualityLevel: number;
    compressionLevel: number;
    addEventListener<K extends keyof RfbEvents>(
      type: K,
      listener: (event: RfbEvents[K]) => void,
    ): void;
    disconnect(): void;
    sendKey(keysym: number, code: string, down?: boolean): void;
    sendCtrlAltDel(): void;
    focus(options?: FocusOptions): void;
    blur(): void;
    clipboardPasteFrom(text: string): void;
  }
}
