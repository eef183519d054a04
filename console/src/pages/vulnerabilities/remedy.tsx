import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { usePanels } from '../../actions/use-panels.ts'
import type { Schemas } from '../../api/client.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { StatusKind } from '../../components/status-kinds.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { useVulnerabilityTexts } from '../../texts/vulnerability-texts.ts'
import { ApprovePanel } from '../patches/approve-panel.tsx'

export type RemedyState = Schemas['RemedyState']

const kinds: Record<RemedyState, StatusKind> = {
  Excepted: 'neutral',
  Released: 'good',
  Waiting: 'running',
  NeedsPerson: 'warning',
  Declined: 'neutral',
  NoPatch: 'neutral',
  NoFix: 'bad',
}

export function RemedyBadge({ state }: { state: RemedyState }) {
  const { states } = useVulnerabilityTexts().remedies
  return <StatusBadge kind={kinds[state]}>{states[state]}</StatusBadge>
}

/** How a vulnerability of a computer goes away, with the button for those who can make it so. */
export function Remedy({ remedy }: { remedy: Schemas['VulnerabilityRemedy'] }) {
  const { state, patchId, patchName, approvedUtc } = remedy
  const { remedies } = useVulnerabilityTexts()
  const format = useFormat()
  return (
    <Stack gap={4} align="flex-start">
      <RemedyBadge state={state} />
      {patchId !== null && (
        <Anchor component={Link} to={`/patches/${patchId}`} size="xs" className="breakable">
          {patchName}
        </Anchor>
      )}
      {approvedUtc !== null && (
        <Text size="xs" c="dimmed">
          {remedies.from(format.date(approvedUtc.slice(0, 10)))}
        </Text>
      )}
      {state === 'NeedsPerson' && patchId !== null && <ApproveButton patchId={patchId} patchName={patchName} />}
    </Stack>
  )
}

/** Opens the review of the approval: how many computers lack the patch, and how many get it. */
export function ApproveButton({ patchId, patchName }: { patchId: number; patchName: string | null }) {
  const { remedies } = useVulnerabilityTexts()
  const mayApprove = useHasRole('pm.approve')
  const { shown, open, onClose } = usePanels<'approve'>()
  const queryClient = useQueryClient()
  const refresh = () => {
    for (const queryKey of [['vulnerabilities'], ['computer']]) void queryClient.invalidateQueries({ queryKey })
  }
  if (!mayApprove) return null
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        aria-label={remedies.approvePatch(patchName ?? `#${patchId}`)}
        onClick={() => open('approve', undefined)}
      >
        {remedies.approve}
      </Button>
      {shown && (
        <ApprovePanel
          key={shown.number}
          patchIds={[patchId]}
          onApproved={refresh}
          isOpen={shown.isOpen}
          onClose={onClose}
        />
      )}
    </>
  )
}
