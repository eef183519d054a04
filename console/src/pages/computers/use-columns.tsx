import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { StatusKind } from '../../components/status-kinds.ts'
import type { TableColumn } from '../../components/virtual-table.tsx'
import { useFormat } from '../../texts/format.ts'
import { textFor, useTexts } from '../../texts/texts.tsx'
import type { FleetComputer, SortName } from './list-address.ts'

export const healthKinds: Record<FleetComputer['healthStatus'], StatusKind> = {
  Healthy: 'good',
  Warning: 'warning',
  Unreachable: 'bad',
}

export const agentKinds: Record<FleetComputer['agentStatus'], StatusKind> = {
  Reporting: 'good',
  Stale: 'warning',
  Silent: 'bad',
  Unknown: 'neutral',
}

/** The machine that Muster runs on is in the list, and needs no agent. */
const isServerWithoutAgent = ({ role, agentStatus }: FleetComputer) =>
  role === 'MasterServer' && agentStatus === 'Unknown'

export const standardColumns: readonly SortName[] = [
  'hostname',
  'operatingSystem',
  'loggedOnUser',
  'ipAddress',
  'healthStatus',
  'agentStatus',
  'lastSeenUtc',
  'issues',
  'groups',
]

type ColumnName = SortName | 'nextContactUtc' | 'software'
type ComputerColumn = TableColumn<FleetComputer> & { id: ColumnName }

/** The columns of the list in their order. The service sorts by all of them but the next contact, which it computes for a page. */
export function useColumns(): readonly ComputerColumn[] {
  const { computers: texts } = useTexts()
  const format = useFormat()
  return useMemo(() => {
    const column = (id: ColumnName, width: number, cell: ComputerColumn['cell']): ComputerColumn => ({
      id,
      title: texts.columns[id],
      width,
      cell,
      isSortable: id !== 'nextContactUtc' && id !== 'software',
    })
    return [
      column('hostname', 140, ({ hostname }) => hostname),
      column('software', 200, ({ software }) => {
        const names = (software ?? []).map(({ name, version }) => [name, version].filter(Boolean).join(' ')).join(', ')
        return <span title={names}>{names}</span>
      }),
      column('healthStatus', 155, (computer) =>
        isServerWithoutAgent(computer) ? (
          <StatusBadge kind="neutral">{texts.server}</StatusBadge>
        ) : (
          <StatusBadge kind={healthKinds[computer.healthStatus]}>
            {texts.values.healthStatus[computer.healthStatus]}
          </StatusBadge>
        ),
      ),
      column('issues', 180, ({ issues }) => <Issues issues={issues} />),
      column('operatingSystem', 170, ({ operatingSystem }) => operatingSystem),
      column('osVersion', 110, ({ osVersion }) => osVersion),
      column('loggedOnUser', 100, ({ loggedOnUser }) => loggedOnUser),
      column('ipAddress', 120, ({ ipAddress }) => ipAddress),
      column('agentStatus', 140, (computer) => (
        <StatusBadge kind={agentKinds[computer.agentStatus]}>
          {isServerWithoutAgent(computer) ? texts.noAgent : texts.values.agentStatus[computer.agentStatus]}
        </StatusBadge>
      )),
      column('lastSeenUtc', 125, ({ lastSeenUtc, connectedNow }) =>
        lastSeenUtc === null ? null : (
          <time dateTime={lastSeenUtc} title={format.exactDateTime(lastSeenUtc)}>
            {connectedNow ? texts.values.connection.Connected : format.age(lastSeenUtc)}
          </time>
        ),
      ),
      column('nextContactUtc', 150, ({ nextContactUtc }) =>
        nextContactUtc === null ? null : (
          <time dateTime={nextContactUtc} title={format.exactDateTime(nextContactUtc)}>
            {format.dateTime(nextContactUtc)}
          </time>
        ),
      ),
      column('groups', 220, ({ groups }) => {
        const paths = groups.map(({ path }) => path).join(', ')
        return <span title={paths}>{paths}</span>
      }),
      column('manufacturer', 130, ({ manufacturer }) => manufacturer),
      column('model', 150, ({ model }) => model),
      column('serialNumber', 130, ({ serialNumber }) => serialNumber),
      column('domain', 140, ({ domain }) => domain),
    ]
  }, [texts, format])
}

function Issues({ issues }: { issues: FleetComputer['issues'] }) {
  const { computers: texts } = useTexts()
  const names = issues.map((issue) => textFor(texts.values.issue, issue) ?? issue)
  const [first, ...others] = names
  if (!first) return null
  return (
    <Text span inherit title={names.join(', ')}>
      {others.length > 0 ? texts.manyIssues(first, others.length) : first}
    </Text>
  )
}
