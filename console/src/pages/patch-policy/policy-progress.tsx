import { Stack, Text } from '@mantine/core'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { StatusKind } from '../../components/status-kinds.ts'
import { useLive } from '../../live/use-live.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { type PatchPolicy, type PatchProgress, policiesKey } from '../patch-policies/policies.ts'
import { ProgressActions } from './progress-actions.tsx'
import { RollbackButton } from './rollback-list.tsx'

const kinds: Record<PatchProgress['state'], StatusKind> = {
  Waiting: 'neutral',
  Open: 'running',
  Paused: 'warning',
  Stopped: 'bad',
  Completed: 'good',
}

/** How far the policy has released each patch through its rings, with what a person can do about it. */
export function PolicyProgress({ policy: { id, rings } }: { policy: PatchPolicy }) {
  const { progress: texts } = usePatchPolicyTexts()
  const columns = useColumns(id)
  const queryKey = [...policiesKey, id, 'progress']
  useLive({ types: ['muster.patch.*'], refreshes: [queryKey] })
  const pages = useListPages({
    queryKey,
    load: (page) =>
      api.GET('/api/patch-policies/{id}/progress', { params: { path: { id }, query: { top: 50, ...page } } }),
  })
  // Without rings, only what somebody paused or stopped is of interest.
  if (rings.length === 0 && pages.rows?.length === 0) return null
  return (
    <Section title={texts.title}>
      <DataTable
        caption={texts.title}
        columns={columns}
        rows={pages.rows}
        rowKey={({ patchId, productId }) => `${patchId}-${productId}`}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: texts.emptyTitle, text: texts.emptyText }}
        footer={<LoadMore query={pages} />}
      />
    </Section>
  )
}

function useColumns(policyId: number): Column<PatchProgress>[] {
  const { progress: texts } = usePatchPolicyTexts()
  const mayApprove = useHasRole('pm.approve')
  const columns: Column<PatchProgress>[] = [
    {
      id: 'patch',
      title: texts.patch,
      cell: ({ patchName, productName }) => (
        <>
          <Text size="sm" className="breakable">
            {patchName}
          </Text>
          <Text size="xs" c="dimmed" className="breakable">
            {productName}
          </Text>
        </>
      ),
    },
    {
      id: 'state',
      title: texts.state,
      cell: (patch) => (
        <>
          <StatusBadge kind={kinds[patch.state]}>{texts.states[patch.state]}</StatusBadge>
          <Text size="xs" c="dimmed" className="breakable">
            {patch.message}
          </Text>
          {patch.rollback && <RollbackButton policyId={policyId} patch={patch} />}
        </>
      ),
    },
    {
      id: 'rings',
      title: texts.rings,
      cell: ({ rings, openRing }) => (
        <Stack gap={0}>
          {rings.map(({ ring, name, installed, lacking, failed }) => (
            <Text key={ring} size="xs" {...(ring > openRing && { c: 'dimmed' })} className="breakable">
              {texts.ring(name, installed, installed + lacking, failed)}
            </Text>
          ))}
        </Stack>
      ),
    },
  ]
  if (!mayApprove) return columns
  return [
    ...columns,
    { id: 'actions', title: texts.actions, cell: (patch) => <ProgressActions policyId={policyId} patch={patch} /> },
  ]
}
