import type { LineVersion } from '../../../api/package-lines.ts'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { usePackageLineTexts } from '../../../texts/package-line-texts.ts'

const kinds = { InUse: 'good', Superseded: 'warning', Unused: 'neutral' } as const

/** Whether a version is in use, superseded or unused. */
export function VersionState({ state }: Pick<LineVersion, 'state'>) {
  return <StatusBadge kind={kinds[state]}>{usePackageLineTexts().states[state]}</StatusBadge>
}
