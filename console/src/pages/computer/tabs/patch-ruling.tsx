import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answerOf, api, type Schemas } from '../../../api/client.ts'
import { StatusBadge } from '../../../components/status-badge.tsx'
import type { StatusKind } from '../../../components/status-kinds.ts'
import { useHasRole } from '../../../shell/session-context.ts'
import { useFormat } from '../../../texts/format.ts'
import { type PatchPolicyTexts, usePatchPolicyTexts } from '../../../texts/patch-policy-texts.ts'
import { computerKey } from '../computer-data.ts'

type Ruling = Schemas['ComputerPatchRuling']

const kinds: Record<Ruling['state'], StatusKind> = {
  ReleasedByGroup: 'good',
  Released: 'good',
  WaitingForRing: 'running',
  Paused: 'warning',
  Waiting: 'running',
  NeedsReview: 'warning',
  Stopped: 'bad',
  Declined: 'neutral',
  Undecided: 'neutral',
}

/** Few computers lack more patches. */
const maxRulings = 1_000

/** Finds what decides about a missing patch of the computer. */
export function useRulings(id: number): (patch: { patchId: number; productId: number }) => Ruling | undefined {
  const { data } = useQuery({
    queryKey: [...computerKey(id), 'patch-rulings'],
    queryFn: () =>
      answerOf(api.GET('/api/computer/{id}/patch-rulings', { params: { path: { id }, query: { top: maxRulings } } })),
  })
  const key = ({ patchId, productId }: { patchId: number; productId: number }) => `${patchId}-${productId}`
  const rulings = new Map(data?.items.map((ruling) => [key(ruling), ruling]))
  return (patch) => rulings.get(key(patch))
}

/** Whether a missing patch is released to the computer, by which rule, and from when on. */
export function PatchRuling({ ruling }: { ruling: Ruling | undefined }) {
  const { ruling: texts } = usePatchPolicyTexts()
  const format = useFormat()
  const mayReadPolicies = useHasRole('pm.read')
  if (!ruling) return <span>–</span>
  const { state, policyId } = ruling
  const by = describe(ruling, texts, (time) => format.date(time.slice(0, 10)))
  return (
    <>
      <StatusBadge kind={kinds[state]}>{texts.states[state]}</StatusBadge>
      {by && (
        <Text size="xs" c="dimmed" className="breakable">
          {policyId !== null && mayReadPolicies ? (
            <Anchor component={Link} to={`/patch-policies/${policyId}`} fz="inherit">
              {by}
            </Anchor>
          ) : (
            by
          )}
        </Text>
      )}
    </>
  )
}

/** What decides, and when it does. */
function describe(ruling: Ruling, texts: PatchPolicyTexts['ruling'], toDay: (time: string) => string): string {
  const { state, pmGroupName, policyName, ruleName, approvedUtc, isApprovedByPerson } = ruling
  if (pmGroupName !== null) return texts.byGroup(pmGroupName)
  if (policyName === null || ruleName === null) return ''
  const rule = texts.byRule(ruleName, policyName)
  if (state === 'WaitingForRing' || state === 'Paused' || state === 'Stopped') {
    const { ring, ringName, openRing } = ruling
    return ring === null ? rule : `${texts.ofRing(ring, ringName ?? '', openRing ?? 0)}, ${rule}`
  }
  if (isApprovedByPerson) return `${texts.byPerson}, ${rule}`
  if (approvedUtc === null) return rule
  return `${state === 'Waiting' ? texts.from(toDay(approvedUtc)) : texts.on(toDay(approvedUtc))} ${rule}`
}
