import type { AgentKind } from '../../../features/agents/agent-kinds.ts'

export type FusionKind = Exclude<AgentKind, 'Muster'>

const programs: readonly [RegExp, FusionKind][] = [
  [/^GLPI/i, 'GLPI'],
  [/^OCS/i, 'OCS'],
]

/** Parses the name that an agent gives itself, such as `GLPI-Agent_v1.12`. */
export function parseAgentProgram(program: string): { kind: FusionKind; version: string | null } {
  const kind = programs.find(([pattern]) => pattern.test(program))?.[1] ?? 'FusionInventory'
  const [, version = null] = /_v(\S{1,50})/.exec(program) ?? []
  return { kind, version }
}
