import type { AgentKind } from '../../../features/agents/agent-kinds.ts'
import { toText } from '../normalisation/values.ts'

export type FusionKind = Exclude<AgentKind, 'Muster'>

const programs: readonly [RegExp, FusionKind][] = [
  [/^GLPI/i, 'GLPI'],
  [/^OCS/i, 'OCS'],
]

const maxVersionLength = 50

/** Parses the name that an agent gives itself, such as `GLPI-Agent_v1.12`. */
export function parseAgentProgram(program: string): { kind: FusionKind; version: string | null } {
  const kind = programs.find(([pattern]) => pattern.test(program))?.[1] ?? 'FusionInventory'
  const [, version] = /_v(\S+)/.exec(program) ?? []
  return { kind, version: toText(version, maxVersionLength) }
}
