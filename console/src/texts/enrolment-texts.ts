import { deAgentPackages } from './de-agent-packages.ts'
import { deQuarantine } from './de-quarantine.ts'
import { enAgentPackages } from './en-agent-packages.ts'
import { enQuarantine } from './en-quarantine.ts'
import { usePageTexts } from './texts.tsx'

const en = { agentPackages: enAgentPackages, quarantine: enQuarantine }

export function useEnrolmentTexts(): typeof en {
  return usePageTexts({ en, de: { agentPackages: deAgentPackages, quarantine: deQuarantine } })
}
