import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Schemas } from '../../api/client.ts'
import type { Column } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useComputerHistoryTexts } from '../../texts/computer-history-texts.ts'
import { useFleetHistoryTexts } from '../../texts/fleet-history-texts.ts'
import { textFor } from '../../texts/texts.tsx'
import { resultKind } from '../computer/states.ts'

type DistributionEvent = Schemas['DistributionEvent']

export function useHistoryColumns(): Column<DistributionEvent>[] {
  const { computer } = useFleetHistoryTexts()
  const texts = useComputerHistoryTexts()
  const { columns } = texts
  return [
    {
      id: 'time',
      title: columns.time,
      width: 180,
      cell: ({ logDateUtc }) => logDateUtc && <Moment at={logDateUtc} />,
    },
    {
      id: 'computer',
      title: computer,
      width: 200,
      cell: ({ computerId, hostname }) => (
        <Anchor
          component={Link}
          to={`/computers/${computerId}/history?view=deployments`}
          size="sm"
          fw={600}
          className="breakable"
        >
          {hostname}
        </Anchor>
      ),
    },
    { id: 'package', title: columns.package, cell: (event) => <PackageOfEvent event={event} /> },
    {
      id: 'mode',
      title: columns.mode,
      width: 150,
      cell: ({ installMode }) => textFor(texts.modes, installMode ?? '') ?? installMode ?? '–',
    },
    {
      id: 'result',
      title: columns.result,
      width: 130,
      cell: ({ result }) => (
        <StatusBadge kind={resultKind(result)}>{textFor(texts.results, result ?? '') ?? result}</StatusBadge>
      ),
    },
    {
      id: 'cause',
      title: columns.cause,
      width: 170,
      cell: ({ classification }) => textFor(texts.classifications, classification ?? '') ?? classification,
    },
  ]
}

function PackageOfEvent({ event: { packageId, packageName, version, kbNumber } }: { event: DistributionEvent }) {
  const texts = useComputerHistoryTexts()
  const mayRead = useHasRole('package.read')
  const name = [packageName ?? kbNumber ?? texts.deletedPackage, version].filter(Boolean).join(' ')
  if (packageId === null || !mayRead) return <>{name}</>
  return (
    <Anchor component={Link} to={`/packages/${packageId}`} size="sm" className="breakable">
      {name}
    </Anchor>
  )
}
