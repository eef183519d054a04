import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { answerOf, api } from '../../api/client.ts'
import { DataTable } from '../../components/data-table.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { useLive } from '../../live/use-live.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { useDepotColumns } from './depot-columns.tsx'
import { depotsKey, depotsQuery } from './depots.ts'
import { useSyncAction } from './sync-action.tsx'
import { TableSection } from './table-section.tsx'

export function DepotsTab() {
  const infrastructure = useInfrastructureTexts()
  const { depots } = infrastructure
  const list = useQuery(depotsQuery)
  useLive({ types: ['muster.depot.*'], refreshes: [depotsKey] })
  return (
    <TableSection
      title={depots.title}
      actions={
        <>
          <RefreshButton {...list} />
          {useHasRole('activation.execute') && <SyncAll isEmpty={list.data?.totalCount === 0} />}
        </>
      }
    >
      <Stack gap="sm">
        {useHasRole('package.read') && <Topology />}
        <DataTable
          caption={depots.title}
          columns={useDepotColumns()}
          rows={list.data?.items}
          rowKey={({ clientId }) => clientId}
          error={list.error}
          onRetry={list.refetch}
          empty={{ title: depots.emptyTitle, text: depots.emptyText }}
        />
      </Stack>
    </TableSection>
  )
}

function SyncAll({ isEmpty }: { isEmpty: boolean }) {
  const { depots } = useInfrastructureTexts()
  const [isOpen, panel] = useDisclosure()
  const action = useSyncAction(undefined)
  return (
    <>
      <Button onClick={panel.open} disabled={isEmpty}>
        {depots.syncAll}
      </Button>
      <ReviewPanel isOpen={isOpen} onClose={panel.close} action={action} />
    </>
  )
}

/** Whether tags matter. */
function Topology() {
  const { depots } = useInfrastructureTexts()
  const { data } = useQuery({
    queryKey: ['depot-topology'],
    queryFn: () => answerOf(api.GET('/api/system/depot-topology-setting')),
  })
  return (
    <Text size="sm" c="dimmed" mih={20}>
      {data && (data.isActive ? depots.topologyActive : depots.topologyInactive)}
    </Text>
  )
}
