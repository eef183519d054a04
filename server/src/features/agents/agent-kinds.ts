/** Which program the agent of a computer is: our own, or one that was there before us. */
export const agentKinds = ['Muster', 'FusionInventory', 'GLPI', 'OCS'] as const

export type AgentKind = (typeof agentKinds)[number]
