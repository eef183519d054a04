import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Column } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { DepotActions } from './depot-actions.tsx'
import { type Depot, depotName, heartbeatKinds, syncKinds } from './depots.ts'

export function useDepotColumns(): Column<Depot>[] {
  const { common, infrastructure } = useTexts()
  const { depots } = infrastructure
  const { columns } = depots
  return [
    { id: 'depot', title: columns.depot, cell: (depot) => <NameCell depot={depot} /> },
    {
      id: 'state',
      title: columns.state,
      width: 150,
      cell: ({ heartbeat }) => (
        <StatusBadge kind={heartbeatKinds[heartbeat]}>{depots.heartbeats[heartbeat]}</StatusBadge>
      ),
    },
    {
      id: 'heartbeat',
      title: columns.heartbeat,
      width: 150,
      cell: ({ lastHeartbeatUtc }) => (lastHeartbeatUtc ? <Moment at={lastHeartbeatUtc} /> : common.never),
    },
    { id: 'lastSync', title: columns.lastSync, cell: (depot) => <LastSync depot={depot} /> },
    {
      id: 'nextSync',
      title: columns.nextSync,
      width: 150,
      cell: ({ isSyncWaiting, nextRunUtc }) =>
        isSyncWaiting ? depots.waiting : nextRunUtc ? <Moment at={nextRunUtc} /> : '–',
    },
    { id: 'tags', title: columns.tags, width: 140, cell: ({ tags }) => <Tags tags={tags} /> },
    {
      id: 'credential',
      title: columns.credential,
      width: 110,
      cell: ({ hasCredential }) => (hasCredential ? depots.hasCredential : depots.noCredential),
    },
    { id: 'actions', title: columns.actions, width: 160, cell: (depot) => <DepotActions depot={depot} /> },
  ]
}

function NameCell({ depot }: { depot: Depot }) {
  return (
    <Stack gap={0}>
      <Anchor component={Link} to={`/computers/${depot.clientId}`} size="sm" fw={600}>
        {depotName(depot)}
      </Anchor>
      {depot.version && (
        <Text size="xs" c="dimmed">
          {depot.version}
        </Text>
      )}
    </Stack>
  )
}

function LastSync({ depot: { lastStatus, lastRunUtc, lastResult } }: { depot: Depot }) {
  const { depots } = useTexts().infrastructure
  if (lastStatus === null || lastRunUtc === null) return depots.noSync
  return (
    <Stack gap={2} align="flex-start">
      <Group gap="xs">
        <StatusBadge kind={syncKinds[lastStatus]}>{depots.statuses[lastStatus]}</StatusBadge>
        <Text size="sm">
          <Moment at={lastRunUtc} />
        </Text>
      </Group>
      {lastResult && (
        <Text size="xs" c="dimmed">
          {lastResult}
        </Text>
      )}
    </Stack>
  )
}

function Tags({ tags }: Pick<Depot, 'tags'>) {
  if (tags.length === 0) return '–'
  return (
    <Group gap={4}>
      {tags.map(({ id, designation }) => (
        <Badge key={id} color="gray">
          {designation}
        </Badge>
      ))}
    </Group>
  )
}
