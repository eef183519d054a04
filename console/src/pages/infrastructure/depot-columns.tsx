import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Column } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { DepotActions } from './depot-actions.tsx'
import { type Depot, depotName, heartbeatKinds, syncKinds } from './depots.ts'

export function useDepotColumns(): Column<Depot>[] {
  const { depots } = useInfrastructureTexts()
  const { columns } = depots
  return [
    { id: 'depot', title: columns.depot, width: 240, cell: (depot) => <NameCell depot={depot} /> },
    { id: 'state', title: columns.state, width: 170, cell: (depot) => <State depot={depot} /> },
    { id: 'lastSync', title: columns.lastSync, cell: (depot) => <LastSync depot={depot} /> },
    { id: 'tags', title: columns.tags, width: 150, cell: ({ tags }) => <Tags tags={tags} /> },
    {
      id: 'credential',
      title: columns.credential,
      width: 120,
      cell: ({ hasCredential }) => (hasCredential ? depots.hasCredential : depots.noCredential),
    },
    { id: 'actions', title: columns.actions, width: 180, cell: (depot) => <DepotActions depot={depot} /> },
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

function State({ depot: { heartbeat, lastHeartbeatUtc } }: { depot: Depot }) {
  const { depots } = useInfrastructureTexts()
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge kind={heartbeatKinds[heartbeat]}>{depots.heartbeats[heartbeat]}</StatusBadge>
      {lastHeartbeatUtc && (
        <Text size="xs" c="dimmed">
          {depots.columns.heartbeat}: <Moment at={lastHeartbeatUtc} />
        </Text>
      )}
    </Stack>
  )
}

function LastSync({ depot }: { depot: Depot }) {
  const { depots } = useInfrastructureTexts()
  const { lastStatus, lastRunUtc, lastResult, nextRunUtc, isSyncWaiting } = depot
  return (
    <Stack gap={2} align="flex-start">
      {lastStatus && lastRunUtc ? (
        <Group gap="xs">
          <StatusBadge kind={syncKinds[lastStatus]}>{depots.statuses[lastStatus]}</StatusBadge>
          <Text size="sm">
            <Moment at={lastRunUtc} />
          </Text>
        </Group>
      ) : (
        depots.noSync
      )}
      {lastResult && (
        <Text size="xs" c="dimmed">
          {lastResult}
        </Text>
      )}
      {(isSyncWaiting || nextRunUtc) && (
        <Text size="xs" c="dimmed">
          {depots.columns.nextSync}: {isSyncWaiting ? depots.waiting : nextRunUtc && <Moment at={nextRunUtc} />}
        </Text>
      )}
    </Stack>
  )
}

function Tags({ tags }: Pick<Depot, 'tags'>) {
  if (tags.length === 0) return <>–</>
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
