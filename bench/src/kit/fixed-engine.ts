/**
 * A container engine whose sessions are one server in another process. The gateway is measured in
 * front of the same upstream as its rival, and without the upstream's work inside the measured
 * process.
 */
import type { NodeState } from '../../../server/src/engines/containers/engine.ts';
import { LocalEngine } from '../../../server/src/testing/local-engine.ts';

export class FixedEngine extends LocalEngine {
  /** It makes no session servers of its own. */
  override isSilent = true;
  readonly #ip: string;

  /**
   * @param ip where a server listens on the port of every kind of session that is opened
   * @param image reference of the only image that it has
   */
  constructor(ip: string, image: string) {
    super();
    this.#ip = ip;
    this.images = new Set([image]);
  }

  override async inspect(usageID: number): Promise<NodeState[]> {
    const states = await super.inspect(usageID);
    return states.map((state) => ({ ...state, ip: state.ip === null ? null : this.#ip }));
  }
}
