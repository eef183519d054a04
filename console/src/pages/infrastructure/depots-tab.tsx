import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { api, type Schemas, type Versioned, versionOf } from '../../api/client.ts'
import { DataTable } from '../../components/data-table.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { useLive } from '../../live/use-live.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { useTagTexts } from '../../texts/tag-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useDepotColumns } from './depot-columns.tsx'
import { depotsKey, depotsQuery } from './depots.ts'
import { useSyncAction } from './sync-action.tsx'
import { TableSection } from './table-section.tsx'

type DepotTopology = Schemas['DepotTopologySetting']

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

const topologyKey = ['depot-topology']

/** Whether tags matter. */
function Topology() {
  const { depots } = useInfrastructureTexts()
  const { topology } = useTagTexts()
  const mayChange = useHasRole('package.write')
  const { shown, open, onClose } = usePanels<'change', Versioned<DepotTopology>>()
  const { data } = useQuery({
    queryKey: topologyKey,
    queryFn: () => versionOf(api.GET('/api/system/depot-topology-setting')),
  })
  return (
    <Group gap="sm" mih={20}>
      <Text size="sm" c="dimmed">
        {data && (data.value.isActive ? depots.topologyActive : depots.topologyInactive)}
      </Text>
      {data && mayChange && (
        <Button variant="subtle" size="compact-sm" onClick={() => open('change', data)}>
          {data.value.isActive ? topology.deactivate : topology.activate}
        </Button>
      )}
      {shown && <TopologyPanel key={shown.number} seen={shown.target} isOpen={shown.isOpen} onClose={onClose} />}
    </Group>
  )
}

function TopologyPanel({ seen, ...panel }: PanelProps & { seen: Versioned<DepotTopology> }) {
  const { topology } = useTagTexts()
  const { common } = useTexts()
  const isActive = !seen.value.isActive
  const label = isActive ? topology.activate : topology.deactivate
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: label,
        label,
        etag: seen.etag,
        requestKey: isActive,
        send: ({ uncounted: query, headers }) =>
          api.PUT('/api/system/depot-topology-setting', {
            params: { query, header: headers },
            body: { isActive },
          }),
        describe: () => (isActive ? topology.activates : topology.deactivates),
        done: () => ({ text: common.saved }),
        refreshes: [topologyKey, depotsKey],
      }}
    />
  )
}
