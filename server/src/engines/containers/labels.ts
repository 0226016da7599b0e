/** Marks on containers and networks: all that a driver knows is in them. */
export const labels = {
  installation: 'hypercube.installation',
  usage: 'hypercube.usage',
  node: 'hypercube.node',
  order: 'hypercube.order',
  /** On what lives only as long as a commit; its value is the installation. */
  scratch: 'hypercube.scratch',
} as const;
