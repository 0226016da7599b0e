/** Marks on containers and networks: all that a driver knows is in them. */
export const labels = {
  installation: 'hypercube.installation',
  usage: 'hypercube.usage',
  node: 'hypercube.node',
  order: 'hypercube.order',
  /** On what lives only as long as a commit; its value is the installation. */
  scratch: 'hypercube.scratch',
} as const;

/** What a usage's things are called in the engine of an installation, and marked with. */
export const containerName = (installationID: string, usageID: number, node: string): string =>
  `hc-${installationID}-${usageID}-${node}`;

export const networkName = (installationID: string, usageID: number): string =>
  `hc-${installationID}-${usageID}`;

export const usageLabels = (installationID: string, usageID: number): Record<string, string> => ({
  [labels.installation]: installationID,
  [labels.usage]: String(usageID),
});
