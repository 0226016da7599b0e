import { networkInterfaces } from 'node:os';

/** One private network of a usage. */
export interface Subnet {
  /** For example `10.213.4.16/28`. */
  cidr: string;
  gateway: string;
  /** Address of the node with this index, 0 for the first. */
  nodeAddress(index: number): string;
}

const blockBits = 28;
const blockSize = 2 ** (32 - blockBits);
/** Network address, gateway and broadcast address are nobody's. */
export const maxNodes = blockSize - 3;

/**
 * Cuts a private range into blocks of 16 addresses and hands them out. Every installation begins
 * at its own place in the range, so that two on one host, whose stopped usages the other cannot
 * see, do not meet; what either can see is avoided anyway.
 */
export class SubnetPool {
  readonly #first: number;
  readonly #count: number;
  readonly #start: number;
  readonly #used = new Set<number>();

  /** `installation`: hex digits that choose the beginning. */
  constructor(range: string, installation: string) {
    const [address, bits] = range.split('/');
    const length = Number(bits);
    if (!address || !Number.isInteger(length) || length < 8 || length > blockBits) {
      throw new Error(`not a range of /8 to /${blockBits}: ${range}`);
    }
    this.#count = 2 ** (blockBits - length);
    this.#first = toNumber(address);
    if (this.#first % (this.#count * blockSize) !== 0) {
      throw new Error(`not the beginning of its range: ${range}`);
    }
    this.#start = Number.parseInt(installation, 16) % this.#count;
  }

  /** Takes the next free block, or null when all are in use. */
  take(): Subnet | null {
    for (let step = 0; step < this.#count; step++) {
      const index = (this.#start + step) % this.#count;
      if (this.#used.has(index)) continue;
      this.#used.add(index);
      return this.#subnet(index);
    }
    return null;
  }

  /** Gives a block back. */
  release(cidr: string): void {
    for (const index of this.#blocksOf(cidr)) this.#used.delete(index);
  }

  /** Replaces what is known to be in use: networks of the engine, addresses of this host. */
  refresh(cidrs: Iterable<string>): void {
    this.#used.clear();
    for (const cidr of cidrs) {
      for (const index of this.#blocksOf(cidr)) this.#used.add(index);
    }
    for (const addresses of Object.values(networkInterfaces())) {
      for (const address of addresses ?? []) {
        if (address.family !== 'IPv4' || !address.cidr) continue;
        for (const index of this.#blocksOf(address.cidr)) this.#used.add(index);
      }
    }
  }

  /** The block with this range, as an existing network has it. */
  existing(cidr: string): Subnet {
    for (const index of this.#blocksOf(cidr)) this.#used.add(index);
    return toSubnet(toNumber(cidr.split('/')[0] ?? ''), cidr);
  }

  #subnet(index: number): Subnet {
    const base = this.#first + index * blockSize;
    return toSubnet(base, `${toAddress(base)}/${blockBits}`);
  }

  /** Indices of the blocks that a range touches. */
  *#blocksOf(cidr: string): Iterable<number> {
    const [address = '', bits = '32'] = cidr.split('/');
    if (!/^\d+\.\d+\.\d+\.\d+$/.test(address)) return;
    const size = 2 ** (32 - Number(bits));
    const base = Math.floor(toNumber(address) / size) * size;
    const from = Math.max(0, Math.floor((base - this.#first) / blockSize));
    const to = Math.min(this.#count - 1, Math.floor((base + size - 1 - this.#first) / blockSize));
    for (let index = from; index <= to; index++) yield index;
  }
}

function toSubnet(base: number, cidr: string): Subnet {
  return {
    cidr,
    gateway: toAddress(base + 1),
    nodeAddress: (index) => toAddress(base + 2 + index),
  };
}

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function toAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
