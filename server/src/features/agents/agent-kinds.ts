/** Which program the agent of a computer is: the Muster agent, or an inventory agent that Muster also accepts. */
export const agentKinds = ['Muster', 'FusionInventory', 'GLPI', 'OCS'] as const

export type AgentKind = (typeof agentKinds)[number]
