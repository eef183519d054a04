import type { Schemas } from '../../api/client.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { StatusKind } from '../../components/status-kinds.ts'
import { useVulnerabilityTexts } from '../../texts/vulnerability-texts.ts'

export type Vulnerability = Schemas['FleetVulnerability']
export type VulnerabilitySeverity = Vulnerability['severity']

export const vulnerabilitySeverities: readonly VulnerabilitySeverity[] = [
  'Critical',
  'High',
  'Medium',
  'Low',
  'Unknown',
]

const kinds: Record<VulnerabilitySeverity, StatusKind> = {
  Critical: 'bad',
  High: 'warning',
  Medium: 'running',
  Low: 'neutral',
  Unknown: 'neutral',
}

export function SeverityBadge({ severity }: { severity: VulnerabilitySeverity }) {
  const texts = useVulnerabilityTexts()
  return <StatusBadge kind={kinds[severity]}>{texts.severities[severity]}</StatusBadge>
}
