/** Roles of programs and auditors. Nobody needs them who looks at the fleet, or who may manage principals. */
export const watcherRoles: readonly string[] = ['metrics.read', 'audit.read']
