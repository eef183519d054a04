import type { Package } from '../../api/packages.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function ReleaseBadge({ operational }: Pick<Package, 'operational'>) {
  const { packages } = useTexts()
  return (
    <StatusBadge kind={operational ? 'good' : 'warning'}>
      {operational ? packages.released : packages.notReleased}
    </StatusBadge>
  )
}

const hashKinds = { Current: 'good', Mismatch: 'bad', None: 'neutral' } as const

export function HashBadge({ hashState }: Pick<Package, 'hashState'>) {
  const { packages } = useTexts()
  return <StatusBadge kind={hashKinds[hashState]}>{packages.hashStates[hashState]}</StatusBadge>
}

export function SignatureBadge({ signature }: Pick<Package, 'signature'>) {
  const { signatures } = useTexts().packages
  if (!signature) return <StatusBadge kind="neutral">{signatures.none}</StatusBadge>
  if (!signature.trusted) return <StatusBadge kind="warning">{signatures.unknown}</StatusBadge>
  return <StatusBadge kind="good">{signatures.trusted}</StatusBadge>
}
