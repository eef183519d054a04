export const base = ['platform', 'database']

/** Which folders the channels may import. */
export const channelImports: Record<string, readonly string[]> = {
  'channels/agent': [
    ...base,
    'features/blast-radius',
    'features/computers',
    'features/packages',
    'features/agents',
    'features/enrolment',
    'features/inventory',
    'features/depots',
    'features/distribution',
    'features/patches',
    'features/deployments',
    'features/hand-out',
    'features/os-deployment',
    'features/patch-management',
    'features/self-service',
    'features/pre-downloads',
    'features/work-states',
    // The token of a boot script proves on which computer an installer enrols the agent.
    'channels/pxe',
  ],
  'channels/fusion': [
    ...base,
    'installation',
    'features/audit',
    'features/blast-radius',
    'features/packages',
    'features/agents',
    'features/enrolment',
    'features/inventory',
    'features/deployments',
    'features/hand-out',
    'features/os-deployment',
    'features/work-states',
  ],
  'channels/depot': [
    ...base,
    'features/computers',
    'features/packages',
    'features/depots',
    'features/patches',
    'features/wake-on-lan',
  ],
  'channels/pxe': [...base, 'features/packages', 'features/os-deployment'],
}
