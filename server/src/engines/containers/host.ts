import type { DiskLimit } from './engine.ts';
import type { InstallationPaths } from './installation.ts';

/** Where an engine answers the Docker API. */
export type EngineAddress = { socketPath: string } | { host: string; port: number };

/** A found engine. */
export interface ContainerHost {
  /** `own`: our podman; `local`: a socket of this machine; `remote`: another machine. */
  kind: 'own' | 'local' | 'remote';
  address: EngineAddress;
  paths: InstallationPaths;
  diskLimit: DiskLimit;
  /** Why the disk can only be watched, for the admin page. */
  diskLimitReason: string | null;
  /** Makes sure that the engine answers, restarting our own. Throws if it cannot. */
  ensure(): Promise<void>;
  /**
   * The engine that builds images. Our podman keeps images in a store of their own, which other
   * installations may share, so building has its own service; it ends when released.
   */
  borrowImageEngine(): Promise<ImageEngine>;
  /** Lets go of the engine; containers run on. */
  close(): Promise<void>;
}

/** An engine for building, until it is released. */
export interface ImageEngine {
  address: EngineAddress;
  /** Held while building, so that no two processes build the same. */
  lockPath: string;
  release(): Promise<void>;
}

/** No engine can be had; the site works without sessions. */
export interface NoContainerHost {
  kind: 'none';
  /** An English sentence for staff. */
  reason: string;
}
