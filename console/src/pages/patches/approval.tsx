import { StatusBadge } from '../../components/status-badge.tsx'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import type { FleetPatch } from './severity.ts'

/** For how many product versions a patch is approved, in words. */
export function Approval({ patch }: { patch: Pick<FleetPatch, 'productCount' | 'approvedProductCount'> }) {
  const patches = usePatchTexts()
  const { productCount, approvedProductCount } = patch
  if (approvedProductCount === 0) return <StatusBadge kind="neutral">{patches.notApproved}</StatusBadge>
  if (approvedProductCount === productCount) return <StatusBadge kind="good">{patches.approved}</StatusBadge>
  return <StatusBadge kind="warning">{patches.partlyApproved(approvedProductCount, productCount)}</StatusBadge>
}
