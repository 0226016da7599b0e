/** The private network of each usage: an address block of ours, closed to the outside. */
import type Docker from 'dockerode';
import { EngineError } from './engine.ts';
import { type EngineCalls, timeouts } from './engine-calls.ts';
import { messageOf } from './engine-http.ts';
import { networkName, usageLabels } from './labels.ts';
import { type Subnet, SubnetPool } from './subnet-pool.ts';

export class UsageNetworks {
  readonly #calls: EngineCalls;
  readonly #bridgePrefix: string;
  readonly #pool: SubnetPool;

  /** @param range of all usages' networks, in CIDR notation */
  constructor(calls: EngineCalls, bridgePrefix: string, range: string) {
    this.#calls = calls;
    this.#bridgePrefix = bridgePrefix;
    this.#pool = new SubnetPool(range, calls.installationID);
  }

  /** The host's interface of a usage's network. */
  bridgeOf(usageID: number): string {
    return `${this.#bridgePrefix}${usageID.toString(36)}`;
  }

  /** Makes the usage's network, or answers the one that an interrupted call left. */
  async ensure(usageID: number, doing: string): Promise<Subnet> {
    const { name: flavor } = await this.#calls.flavor(doing);
    const name = this.#nameOf(usageID);
    const networkLabels = usageLabels(this.#calls.installationID, usageID);
    const bridge = this.bridgeOf(usageID);
    let hasRefreshed = false;
    for (;;) {
      const subnet = this.#pool.take();
      if (!subnet) {
        // What other processes removed is still marked as used here.
        if (hasRefreshed) throw new EngineError('engine_failed', `${doing}: no network is free`);
        hasRefreshed = true;
        await this.refresh(doing);
        continue;
      }
      try {
        await this.#calls.call(doing, timeouts.create, (signal) =>
          flavor === 'podman'
            ? this.#calls.dial('POST', '/v4.0.0/libpod/networks/create', signal, {
                name,
                driver: 'bridge',
                internal: true,
                // Names are in /etc/hosts: a name server would carry questions to the internet.
                dns_enabled: false,
                network_interface: bridge,
                subnets: [{ subnet: subnet.cidr, gateway: subnet.gateway }],
                options: { isolate: 'true' },
                labels: networkLabels,
              })
            : this.#calls.dial('POST', '/networks/create', signal, {
                Name: name,
                CheckDuplicate: true,
                Driver: 'bridge',
                Internal: true,
                IPAM: { Config: [{ Subnet: subnet.cidr, Gateway: subnet.gateway }] },
                Options: { 'com.docker.network.bridge.name': bridge },
                Labels: networkLabels,
              }),
        );
        return subnet;
      } catch (error) {
        const reason = error instanceof EngineError ? error.message : messageOf(error);
        // Somebody else has this block; it stays marked.
        if (/subnet .*(is )?already (used|being used)|overlaps/i.test(reason)) continue;
        this.#pool.release(subnet.cidr);
        if (!/already (exists|used)|network name/i.test(reason)) throw error;
        const existing = await this.#existing(usageID, doing);
        if (existing) return existing;
        throw error;
      }
    }
  }

  async #existing(usageID: number, doing: string): Promise<Subnet | null> {
    const network = await this.#inspect(usageID, doing);
    const cidr = network?.IPAM?.Config?.[0]?.Subnet;
    return cidr ? this.#pool.existing(cidr) : null;
  }

  #inspect(usageID: number, doing: string): Promise<Docker.NetworkInspectInfo | null> {
    return this.#calls.tolerate([404], doing, timeouts.short, (signal) =>
      this.#calls.dial<Docker.NetworkInspectInfo>(
        'GET',
        `/networks/${this.#nameOf(usageID)}`,
        signal,
      ),
    );
  }

  /** Removes what there is of a usage's network, and gives its block back. */
  async remove(usageID: number, doing: string): Promise<void> {
    const network = await this.#inspect(usageID, doing);
    if (!network) return;
    await this.#calls.tolerate([404], doing, timeouts.remove, (signal) =>
      this.#calls.dial('DELETE', `/networks/${this.#nameOf(usageID)}`, signal),
    );
    const cidr = network.IPAM?.Config?.[0]?.Subnet;
    if (cidr) this.#pool.release(cidr);
  }

  /** Marks the blocks that are in use, by whoever they are. */
  async refresh(doing: string): Promise<void> {
    const networks = await this.list(doing);
    this.#pool.refresh(
      networks.flatMap((network) =>
        (network.IPAM?.Config ?? []).map((config) => config.Subnet ?? ''),
      ),
    );
  }

  /** Every network that the engine has. */
  list(doing: string): Promise<Docker.NetworkInspectInfo[]> {
    return this.#calls.call(doing, timeouts.short, (signal) =>
      this.#calls.docker.listNetworks({ abortSignal: signal }),
    );
  }

  #nameOf(usageID: number): string {
    return networkName(this.#calls.installationID, usageID);
  }
}
